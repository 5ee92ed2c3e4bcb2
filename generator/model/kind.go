package model

// Kind is a set of handler kinds.
type Kind uint32

// The kinds, in the order of the runtime's constants of the same names.
const (
	OnStartup Kind = 1 << iota
	OnCleanup
	OnCreate
	OnUpdate
	OnDelete
	OnResume
	OnField
	OnEvent
	OnDaemon
	OnTimer
	OnIndex
	OnLogin
	OnProbe
	OnBackground
)

// OnActivity are the kinds that run for the operator itself, not for an object; OnObject are the others. OnChange are those of the latter that
// are called for a change, which has an old and a new state.
const (
	OnActivity = OnStartup | OnCleanup | OnLogin | OnProbe | OnBackground
	OnChange   = OnCreate | OnUpdate | OnDelete | OnResume | OnField
	OnObject   = OnChange | OnEvent | OnDaemon | OnTimer | OnIndex
)

// kindNames are the names of the runtime's constants, in the same order.
var kindNames = []string{
	"OnStartup", "OnCleanup", "OnCreate", "OnUpdate", "OnDelete", "OnResume", "OnField",
	"OnEvent", "OnDaemon", "OnTimer", "OnIndex", "OnLogin", "OnProbe", "OnBackground",
}

// Has reports whether any of the kinds is in the set.
func (k Kind) Has(kinds Kind) bool { return k&kinds != 0 }

// Names lists the names of the runtime's constants for the set, such as "OnCreate".
func (k Kind) Names() []string {
	var names []string
	for i, name := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}
