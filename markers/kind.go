package markers

// Kind is what a handler reacts to: a value of on=.
type Kind string

// The kinds. Startup to Field work; a marker with one of the others is reported as not supported yet.
const (
	Startup    Kind = "startup"
	Cleanup    Kind = "cleanup"
	Create     Kind = "create"
	Update     Kind = "update"
	Delete     Kind = "delete"
	Resume     Kind = "resume"
	Field      Kind = "field"
	Login      Kind = "login"
	Probe      Kind = "probe"
	Background Kind = "background"
	Event      Kind = "event"
	Timer      Kind = "timer"
	Daemon     Kind = "daemon"
	Index      Kind = "index"
	Validate   Kind = "validate"
	Mutate     Kind = "mutate"
)

// Changing reports whether the kind reacts to detected changes of an object. Only these may share a marker.
func (k Kind) Changing() bool {
	switch k {
	case Create, Update, Delete, Resume, Field:
		return true
	}
	return false
}
