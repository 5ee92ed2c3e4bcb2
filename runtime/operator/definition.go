package operator

import (
	"context"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// Generated1 is what generated code of this generation refers to. When a later runtime can no longer work with it, the constant goes, and
// the generated file does not compile until it is generated again.
const Generated1 = true

// Definition describes an operator; generated code returns it, [Main] and [Run] take it. It is good for one run, since its functions
// share what its startup handlers made.
type Definition struct {
	// Name is the operator's name, for logs and the user agent.
	Name string
	// Defaults are what the operator's marker sets for all handlers.
	Defaults Defaults
	// Activities run for the operator as a whole, in the order given.
	Activities []Activity
	// Resources are the kinds that the operator handles.
	Resources []Resource
}

// Defaults are the arguments of +kopf:operator that hold for every handler.
type Defaults struct {
	// Prefix is the domain of the annotations that keep progress and the last handled state; kopf.zalando.org unless set, as in Kopf.
	Prefix string
	// Finalizer is put on objects that must not go before they were handled; Kopf's own unless set.
	Finalizer string
	// Policy fills what the policies of handlers leave open.
	Policy kopf.Policy
}

// Activity is a handler that runs for the operator, not for an object.
type Activity struct {
	ID string
	// On is OnStartup, OnCleanup, OnLogin, OnProbe or OnBackground.
	On     Kind
	Policy kopf.Policy
	// PolicyFunc, where arguments are Go identifiers, is evaluated when the handler is about to run for the first time; what it leaves zero
	// comes from Policy.
	PolicyFunc func() kopf.Policy
	// Background is for OnBackground alone.
	Background Background
	Run        func(ctx context.Context, s *Startup) (any, error)
}

// Background says when work of the operator's own runs, beside its objects.
type Background struct {
	// Interval is the pause between two runs; zero means one run that lasts until the operator stops.
	Interval time.Duration
	// InitialDelay is the pause before the first run.
	InitialDelay time.Duration
	// WhilePaused means that it also runs while the operator is paused or standing by.
	WhilePaused bool
	// Func, where arguments are Go identifiers, is evaluated once after startup; what it leaves zero comes from the fields above.
	Func func() Background
}

// Daemon says how a daemon begins and how it is ended. Zero durations mean what Kopf means by them: no time to end by itself before its
// context is cancelled, no limit on the time to end after that, and the operator's setting for looking again.
type Daemon struct {
	InitialDelay                                                  Delay
	CancellationBackoff, CancellationTimeout, CancellationPolling time.Duration
	// Func, where arguments are Go identifiers, is evaluated once after startup; what it leaves zero comes from the fields above.
	Func func() Daemon
}

// Timer says when a timer runs.
type Timer struct {
	// Interval is the time between the end of a run and the begin of the next, or between two begins if Sharp; zero means that it runs
	// once, or once after each Idle.
	Interval time.Duration
	Sharp    bool
	// Idle is how long the object must not have changed.
	Idle         time.Duration
	InitialDelay Delay
	// Func, where arguments are Go identifiers, is evaluated once after startup; what it leaves zero comes from the fields above.
	Func func() Timer
}

// Resource is one kind of object, with its handlers in the order of the source.
type Resource struct {
	Group, Version, Kind, Plural string
	Namespaced                   bool
	Watch                        Watch
	// ListMapKeys names, by the dotted JSON path of a list, the members that identify its elements, as +listMapKey says. Edits of such a
	// list keep what they do not know of an element, wherever it moves.
	ListMapKeys map[string][]string
	Handlers    []Handler
}

// Watch is what the handlers of a resource need of its objects, worked out when the code was generated.
type Watch struct {
	// Labels and Fields are selectors that every handler of the resource demands. Objects outside of them are watched all the same: one that
	// was inside may still have to lose its finalizer.
	Labels, Fields string
	// Finalizer tells that some handler may need objects to wait for it before they go.
	Finalizer bool
	// Base says what is stored of the state that was handled last.
	Base Base
	// Extra are fields outside of Kopf's essence that handlers watch for changes, such as status.phase.
	Extra [][]string
	// Reads are further fields whose changes may alter what a filter says; a nil path among them stands for the whole object.
	Reads [][]string
}

// Base says what is stored of the state that was handled last.
type Base string

// The ways to store the last handled state.
const (
	// BaseFull stores Kopf's essence of the object in an annotation.
	BaseFull Base = ""
	// BaseNone stores nothing, for resources without handlers of creation, update, resuming or fields.
	BaseNone Base = "none"
)

// Kind is a set of handler kinds.
type Kind uint32

// The kinds of handlers.
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

// Has tells whether any of the kinds is in the set.
func (k Kind) Has(kinds Kind) bool { return k&kinds != 0 }

// Handler is one marker on a function: when the function is called, and how.
type Handler struct {
	// ID names the handler in progress records and results; a field is already appended to it.
	ID string
	// On holds one kind, or several of create, update, delete, resume and field.
	On     Kind
	Policy kopf.Policy
	// PolicyFunc, where arguments are Go identifiers, is evaluated once after startup; what it leaves zero comes from Policy.
	PolicyFunc func() kopf.Policy
	// Field is the path of the field that the handler is about; empty means the whole object.
	Field []string
	// Value, Old and New are conditions on the field: on its state before or after the change, on the one before, on the one after.
	Value, Old, New Criterion
	// Labels and Annotations are selectors in Kubernetes' syntax; empty means any.
	Labels, Annotations string
	// Name and Namespace are literal or globs; empty means any.
	Name, Namespace string
	// When is the last condition.
	When Condition
	// Enabled is evaluated once after startup; nil means yes.
	Enabled func() bool
	// Optional means, for a delete handler, that the object does not wait for it.
	Optional bool
	// Deleted means, for a resume handler, that it also runs for objects that are being deleted.
	Deleted bool
	// Result is the key of the status that takes the result; empty means the ID, and ResultNone drops it.
	Result string
	// Failed, for handlers of changes, is called when the handler is given up, once unless the process ends before that is written; [Call.Failure] tells it why. What it wants written goes
	// with the record of the failure, in one request. What it returns is dropped, and an error of its own is logged. Make it with [Bind] or
	// [BindChange]; the zero value is nothing.
	Failed Func
	// Daemon and Timer are for OnDaemon and OnTimer alone.
	Daemon Daemon
	Timer  Timer
	// Run calls the function; for OnIndex make it with [BindIndex], else with [Bind] or [BindChange].
	Run Func
}

// ResultNone, as Result of a [Handler], drops what the handler returns.
const ResultNone = "-"
