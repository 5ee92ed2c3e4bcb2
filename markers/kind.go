package markers

import (
	"slices"
)

// Kind is what a handler reacts to: a value of on=.
type Kind string

// The kinds. A marker with one that is not supported yet is reported as such.
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

// OfObject reports whether handlers of the kind are for objects, not for the operator as a whole.
func (k Kind) OfObject() bool {
	switch k {
	case Startup, Cleanup, Login, Probe, Background:
		return false
	}
	return true
}

// kindInfo says what a kind is and which arguments mean something for it.
type kindInfo struct {
	kind  Kind
	later bool // known, but not supported yet
	runs  string
	args  []string
}

// Groups of arguments, as Kopf's decorators share them.
var (
	identityArgs  = []string{"on", "id", "param"}
	retryArgs     = []string{"retries", "timeout", "backoff", "errors", "failed"}
	selectionArgs = []string{
		"kind", "group", "version", "resource", "category", "name", "namespace", "labels", "annotations",
		"field", "value", "when", "enabled", "only",
	}
	activityArgs = slices.Concat(identityArgs, retryArgs)
	objectArgs   = slices.Concat(identityArgs, selectionArgs, []string{"lock"})
	changeArgs   = slices.Concat(objectArgs, retryArgs, []string{"result"})
	webhookArgs  = slices.Concat(identityArgs, selectionArgs, []string{
		"operations", "subresource", "persistent", "sideEffects", "ignoreFailures",
	})
)

// kindTable is every kind, in the order of the reference.
var kindTable = []kindInfo{
	{Startup, false, "once before the operator starts; if it fails for good, the operator does not start", activityArgs},
	{Cleanup, false, "once after the operator has stopped working", activityArgs},
	{Create, false, "once per object that has never been handled", changeArgs},
	{Update, false, "once per change of an object that has been handled", with(changeArgs, "old", "new")},
	{Delete, false, "when the object is being deleted; a finalizer keeps it until the handler is done", with(changeArgs, "optional", "last")},
	{Resume, false, "once per object that was handled before, after every start of the operator", with(changeArgs, "deleted")},
	{Field, false, "once per change of one field, creation and deletion included", with(changeArgs, "old", "new", "for")},
	{Event, false, "for every event of the watch, without a trace on the object",
		with(objectArgs, "result", "retries", "backoff", "for")},
	{Timer, false, "beside an object again and again, every interval, or whenever the object has been left alone for some time", with(changeArgs, "interval", "initialDelay", "idle", "sharp")},
	{Daemon, false, "beside an object for as long as it exists; a finalizer keeps the object until the daemon has ended",
		with(changeArgs, "initialDelay", "cancellationBackoff", "cancellationTimeout", "cancellationPolling")},
	{Index, false, "to say under which keys of an in-memory index an object is found; other handlers take the index", with(objectArgs, retryArgs...)},
	{Validate, true, "on admission, to allow or deny", webhookArgs},
	{Mutate, true, "on admission, to change the object", webhookArgs},
	{Background, false, "for the operator, beside its objects: until exit, or every interval",
		with(activityArgs, "interval", "initialDelay", "whilePaused")},
	{Login, false, "for the credentials of the operator, whenever it needs new ones", activityArgs},
	{Probe, false, "for the answer of the liveness probe", activityArgs},
}

func with(args []string, more ...string) []string {
	return slices.Concat(args, more)
}

// findKind returns the kind of that name.
func findKind(name string) (kindInfo, bool) {
	i := slices.IndexFunc(kindTable, func(k kindInfo) bool { return string(k.kind) == name })
	if i < 0 {
		return kindInfo{}, false
	}
	return kindTable[i], true
}

func isKind(name string) bool {
	_, ok := findKind(name)
	return ok
}

func kindNames() []string {
	names := make([]string, len(kindTable))
	for i, k := range kindTable {
		names[i] = string(k.kind)
	}
	return names
}

// kindsWith are the kinds that an argument means something for, in the order of the table.
func kindsWith(arg string) []kindInfo {
	var found []kindInfo
	for _, k := range kindTable {
		if slices.Contains(k.args, arg) {
			found = append(found, k)
		}
	}
	return found
}
