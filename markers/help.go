package markers

import ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

// help is shorthand for the help text of an argument.
func help(summary string) ctmarkers.DetailedHelp {
	return ctmarkers.DetailedHelp{Summary: summary}
}

const helpCategory = "kopf"

// handlerHelp explains +kopf:on, by the fields of handlerDefinition.
var handlerHelp = ctmarkers.DefinitionHelp{
	Category: helpCategory,
	DetailedHelp: ctmarkers.DetailedHelp{
		Summary: "makes a function or method a handler.",
		Details: "A function may carry several markers; each is a handler of its own with its own arguments.",
	},
	FieldHelp: map[string]ctmarkers.DetailedHelp{
		"On": help("what the handler reacts to. Several of create, update, delete, resume and field may stand in one list, separated by semicolons; the other kinds stand alone."),

		"Kind":        help("the kind of the objects. Left out, it is taken from the types of the parameters, or is the only kind that the package declares."),
		"Group":       help("the API group of the kind, if the types do not tell. `\"\"` is the core group."),
		"Version":     help("the API version of the kind, if the types do not tell."),
		"Resource":    help("the plural name of the resource, for objects without a Go type."),
		"Category":    help("all resources of a category, such as `all`."),
		"Name":        help("only objects with this name."),
		"Namespace":   help("only objects in this namespace."),
		"Labels":      help("only objects whose labels match."),
		"Annotations": help("only objects whose annotations match; the syntax is that of label selectors."),
		"Field": help("only objects that have this field; for update and field: only if it changed. The path is appended to the id, " +
			"except to that of an index, and `old` and `new` are values of the field."),
		"Value":   help("only if the field passes the test: before or after the change, or, where there is no change, as it is."),
		"Old":     help("only if the field passes the test before the change."),
		"New":     help("only if the field passes the test after the change."),
		"When":    help("only if the function returns true. Its parameters are bound like those of a handler; it returns bool."),
		"Enabled": help("decides once, after startup, whether the handler exists. The function takes what startup provides; it returns bool."),
		"Only":    help("which objects exist for the handler; it does not even see others disappear."),
		"For":     help("handles a child on behalf of its parent: `owner`, `label:<key>` or a function that returns names."),

		"Retries": help("the maximum number of calls. An event is handled once unless `retries` or `backoff` is given, and then again, in memory, until it succeeds " +
			"or the next event takes its place."),
		"Timeout": help("how long after the first attempt another one may begin. A running one is not interrupted."),
		"Backoff": help("the delay after an error that names none: fixed (default 1m), or from the first to the second duration, growing with jitter. `0s` means at once."),
		"Errors": help("what to do about errors that are neither kopf.Temporary nor kopf.Permanent: `temporary` (retry, the default), " +
			"`permanent` (give up) or `ignored` (count as success, the default of index)."),
		"Failed": help("a function that is called once when the handler is given up."),
		"Lock":   help("a function that returns a key; handlers with the same key exclude each other."),

		"ID":       help("the handler's name in annotations and status. Left out, it is the function's name with the first letters in lower case. Keep it when renaming a function."),
		"Param":    help("a constant for the parameter `param`, to tell several markers of one function apart."),
		"Result":   help("the key of the status that takes the function's result, instead of the id. `none` drops the result."),
		"Optional": help("the deletion does not wait for this handler: it adds no finalizer, and runs only if something else keeps the object."),
		"Deleted":  help("include objects that are being deleted."),
		"Last":     help("wait until no other finalizer is left."),

		"InitialDelay":        help("how long to wait before the first call."),
		"Interval":            help("the time from the end of a call to the next. A timer with neither `interval` nor `idle` is called once."),
		"Idle":                help("how long the object must have been left unchanged before a call. Without `interval`, there is one call after each change."),
		"Sharp":               help("count the interval from the start of a call, not from its end; what a long call overruns is left out."),
		"CancellationBackoff": help("how long a daemon that was told to stop may take before its context is cancelled."),
		"CancellationTimeout": help("how long a cancelled daemon may take before it is abandoned and its object released. Left out, the object waits for the daemon."),
		"CancellationPolling": help("how often to look at, and to report, a daemon that does not end."),
		"WhilePaused":         help("go on while the operator is paused or standing by."),
		"Operations":          help("the operations that are reviewed: create, update, delete, connect. Default: all."),
		"Subresource":         help("the sub-resource that is reviewed, or `\"*\"` for the object and all of them."),
		"Persistent":          help("keep the webhook configured when the operator ends."),
		"SideEffects":         help("the webhook has side effects, except in a dry run."),
		"IgnoreFailures":      help("admit the object when the webhook cannot be reached."),
	},
}

// operatorHelp explains +kopf:operator, by the fields of operatorDefinition.
var operatorHelp = ctmarkers.DefinitionHelp{
	Category: helpCategory,
	DetailedHelp: ctmarkers.DetailedHelp{
		Summary: "makes a package an operator and sets its defaults.",
		Details: "A `package main` with handlers is an operator without it.",
	},
	FieldHelp: map[string]ctmarkers.DetailedHelp{
		"Operator":  help("the operator's name."),
		"Packages":  help("further packages of the module, whose exported functions and methods with markers belong to this operator."),
		"IDs":       help("how function names become ids: `go` (`OnCreate` becomes `onCreate`, the default) or `snake_case` (`on_create`, as in Python)."),
		"Retries":   help("the default of the handlers' `retries`."),
		"Timeout":   help("the default of the handlers' `timeout`."),
		"Backoff":   help("the default of the handlers' `backoff`."),
		"Prefix":    help("the prefix of the operator's annotations. Default: `kopf.zalando.org`, as in Kopf."),
		"Finalizer": help("the operator's finalizer. Default: `kopf.zalando.org/KopfFinalizerMarker`, as in Kopf."),
		"Storage":   help("where progress is kept."),
		"Only":      help("which objects exist for the operator."),
		"Classify":  help("a function that maps an error to a temporary or permanent one."),
	},
}

// valueForm explains one way to write a value.
type valueForm struct {
	form, help, example string
}

// valueForms explains the types of arguments, in the order of the reference.
var valueForms = []valueForm{
	{"kinds", "kinds, separated by semicolons.", "create;update"},
	{"string", "text. Quotes are needed for spaces, commas, semicolons and equals signs: double quotes as in Go, or back quotes.", "Greeter"},
	{"glob", "a name, or a pattern with `*`, `?` and `[a-z]`.", "team-*"},
	{"selector", "a Kubernetes label selector, always in quotes.", `"tier in (web,api),!legacy"`},
	{"field path", "JSON names separated by dots; keys that contain dots go in brackets and quotes.", `metadata.annotations["demo.kopf.dev/owner"]`},
	{"criterion", "a literal (a quoted string, a number, true, false), `*` for present, `!` for absent, " +
		"or the name of a function `func(F, present bool) bool`, where F is the field's type.", `"web"`},
	{"function", "the name of a Go function of the package, or of one that the file imports.", "isBig"},
	{"number", "a whole number, at least 1, `none` to lift the operator's default, or a Go identifier: a constant, a variable, or a function that " +
		"is called once after startup.", "5"},
	{"duration", "a Go duration above zero, `none` to lift the operator's default, or a Go identifier.", "1h30m"},
	{"period", "a Go duration above zero, or a Go identifier: a constant, a variable, or a function that is called once after startup.", "30s"},
	{"delay", "a Go duration above zero, or a Go identifier: a constant, a variable, or a function, which for objects is called for each of them, with parameters that are " +
		"bound like those of `when`.", "10s"},
	{"backoff", "a Go duration, a range of two, or a Go identifier.", "1s..5m"},
	{"mode", "`temporary`, `permanent` or `ignored`.", "permanent"},
	{"bool", "`true` or `false`.", "true"},
	{"literal", "a number, true or false, or text as above.", "3"},
	{"key", "text, or `none`.", "none"},
	{"style", "`go` or `snake_case`.", "snake_case"},
	{"patterns", "package patterns as for the go command, relative to the package, separated by semicolons.", "./handlers/..."},
}
