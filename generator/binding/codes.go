package binding

import "github.com/kopfgen/kopfgen/internal/diagnostic"

// The codes of this package.
const (
	codeUnfit        = "KG051"
	codeTwice        = "KG052"
	codeTwoViews     = "KG053"
	codeChangeType   = "KG054"
	codeAbsent       = "KG055"
	codeNotOffered   = "KG056"
	codeContext      = "KG057"
	codeReadOnly     = "KG058"
	codeProvider     = "KG059"
	codeProviderTwin = "KG060"
	CodeCycle        = "KG061"
	codeReceiver     = "KG062"
	codeTag          = "KG063"
	codeResults      = "KG064"
	codeShape        = "KG065"
	codeUndefined    = "KG066"
	codeIdentType    = "KG067"
	codeLiteral      = "KG068"
	codeCriterion    = "KG069"
	codeParam        = "KG070"
	CodeResultKey    = "KG071"
	codeUnnameable   = "KG072"
	codeIndex        = "KG092"
	codeIndexTypes   = "KG093"
)

// Codes explains what this package reports.
var Codes = diagnostic.Table{
	{ID: codeUnfit, Title: "parameter that nothing fits", Explanation: "Every parameter gets its value by its type (`context.Context`, `*slog.Logger`, the kind, its spec, status or `metav1.ObjectMeta`, the types of package " +
		"`kopf`, what a startup handler returns), or by its name and type (`name string`, `retry int`), or is a struct whose fields have `kopf:` tags. The hint lists what would fit, nearest first."},
	{ID: codeTwice, Title: "one thing taken twice", Explanation: "A function takes each thing at most once: two parameters from the same source would differ in name only. `old` and `new` are two things."},
	{ID: codeTwoViews, Title: "two views of one part", Explanation: "Parameters that are pointers are patched back. If another parameter shows the same part of the object, edits of one might or might not show in the other. " +
		"Take the pointer alone, or the values alone. Different parts go together: the spec by value and `*Status`, or `metav1.ObjectMeta` and `*Status`."},
	{ID: codeChangeType, Title: "wrong type for old or new", Explanation: "With `field=`, `old` and `new` have the type of the field, a pointer to it, or what the field points to. Without it, they are the kind, its spec, or pointers to these. " +
		"`kopf.Raw` is always possible. Both must show the same part. A pointer is nil where there is no such state."},
	{ID: codeAbsent, Title: "old or new that cannot be absent", Explanation: "When an object is created there is no old state, and an optional field may be missing in the new one. With a plain value, that could not be told from zero: take a pointer, " +
		"a slice, a map or `kopf.Raw`, which are nil then."},
	{ID: codeNotOffered, Title: "parameter that is not available here", Explanation: "Not every function can take everything: there is no object at startup, and no `*rest.Config` before the login handlers have made it, only a change has an " +
		"old and a new state, only what runs beside an object can follow it, filters are not retried, and functions for `enabled`, times and numbers are called once after " +
		"startup and take only what startup handlers return."},
	{ID: codeContext, Title: "context that is not first", Explanation: "By convention, `context.Context` is the first parameter of a Go function."},
	{ID: codeReadOnly, Title: "pointer where nothing can be patched", Explanation: "Pointers to the object or its parts are for edits, which are patched back. Filters and index functions only look, so they must take values."},
	{ID: codeProvider, Title: "startup result that cannot be shared", Explanation: "What a startup handler returns is given to every function that takes its type, so the type must be one of your own: no basic or unnamed type, " +
		"no type that parameters get from elsewhere, and no kind, spec or status that the operator handles. Define a type: `type Token string`."},
	{ID: codeProviderTwin, Title: "type returned by two startup results", Explanation: "Parameters find the results of startup handlers by type, so each type may be returned once. Define a second type, or return a struct of both."},
	{ID: CodeCycle, Title: "startup handlers that wait for each other", Explanation: "A startup handler that takes what another one returns runs after it. The chain leads back to where it began, so none of them could be first."},
	{ID: codeReceiver, Title: "receiver that nobody provides", Explanation: "The receiver of a handler method is what a startup handler returned. One of the startup handlers must return the receiver's type, or a pointer to it."},
	{ID: codeTag, Title: "bad kopf tag", Explanation: "A struct is filled by tags if every field has one: a field path (`kopf:\"spec.size\"`), `label=<key>`, `annotation=<key>`, `index=<id>`, one of the names that parameters can have (`name`, `retry`, …), or `-` to " +
		"leave the field alone. The type of the struct field is that of the object's field, or a pointer to it, which is nil if there is no value; labels and annotations are strings, and an index is a `kopf.Index[K, V]`. Embedded fields are not allowed, and unexported ones only in the operator's own package."},
	{ID: codeResults, Title: "results that do not fit", Explanation: "Handlers return nothing, an `error`, a result, or a result and an `error`; the result must be something that encodes to JSON. Startup handlers may return several results. " +
		"Cleanup and background handlers return nothing or an `error`, login handlers a `*rest.Config` and an `error`, probe handlers something that encodes to JSON, functions for `when` and `enabled` a `bool`, those for times and numbers one value. " +
		"Index functions return rows: a key and a value, the same and a `bool` that tells whether there is a row, or a map of values or of lists of values; an `error` may follow."},
	{ID: codeShape, Title: "function that cannot be called", Explanation: "Generated code calls functions as they are: generic and variadic ones, methods of generic types, `main`, `init` and `_` cannot be handlers."},
	{ID: codeUndefined, Title: "unknown identifier", Explanation: "A word without quotes names something in the package of the function, or, as `package.Name`, something of a package that its file imports. Text needs quotes."},
	{ID: codeIdentType, Title: "identifier of the wrong kind or type", Explanation: "`when` and `enabled` name functions. Times take constants, package variables or functions of type `time.Duration`, numbers those of type `int`. " +
		"Constants are evaluated when generating, the others once after startup; a function for `initialDelay` is asked for each object."},
	{ID: codeLiteral, Title: "literal that does not fit the field", Explanation: "A literal for `value`, `old` or `new` is compared with the field's value, so it must be of its type: quoted text for strings, numbers for numbers that can hold them, `true` or `false`. " +
		"For objects and lists use `*` (present), `!` (absent), or a function."},
	{ID: codeCriterion, Title: "wrong function for value, old or new", Explanation: "Such a function takes the field's value and whether it is present, and returns whether it passes: `func(size int32, present bool) bool`. It can take nothing else; use `when=` for more."},
	{ID: codeParam, Title: "param without its literal, or the other way round", Explanation: "`param=` on the marker and a parameter `param` of a basic type belong together, and the literal must fit the type."},
	{ID: CodeResultKey, Title: "result= on a function without result", Explanation: "`result=` says where the result goes: below the status, or nowhere. This function returns no result."},
	{ID: codeUnnameable, Title: "name that generated code cannot use", Explanation: "Everything is generated into the operator's package, so functions, receivers and types of other packages that the generated code has to name must be " +
		"exported, and their packages importable. Packages below a directory `internal` can only be imported from below its parent; an exported alias of such a type will do."},
	{ID: codeIndex, Title: "unknown index", Explanation: "A parameter of type `kopf.Index[K, V]` is given the index whose id is the parameter's name: the id of an `on=index` handler of the operator, which is the " +
		"name of its function in lower camel case, or what its `id=` says. An id that is no name in Go is given in the tag of a field instead: `kopf:\"index=by-tier\"`."},
	{ID: codeIndexTypes, Title: "index of other types", Explanation: "The K and V of an index are those of the functions that fill it: every function with its id must return the same types, and every parameter must be a " +
		"`kopf.Index` of exactly these. A `map[K][]V` gives an object several values under one key, so its values are of type V, not of type []V."},
}
