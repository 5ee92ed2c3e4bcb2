package markers

import "github.com/kopfgen/kopfgen/internal/diagnostic"

// The codes of this package.
const (
	codeSpelling       = "KG001"
	codeUnknownMarker  = "KG002"
	codeMisplaced      = "KG003"
	codeDetached       = "KG004"
	codeBlockComment   = "KG005"
	codeQuote          = "KG006"
	codeSeparator      = "KG007"
	codeLostText       = "KG008"
	codeNoValue        = "KG009"
	codeUnknownArg     = "KG010"
	codeDuplicate      = "KG011"
	codeUnknownKind    = "KG012"
	codeMixedKinds     = "KG013"
	codeInapplicable   = "KG014"
	codeNotYet         = "KG015"
	codeMissingArg     = "KG016"
	codeExclusive      = "KG017"
	codeValue          = "KG018"
	codeRange          = "KG019"
	codeDuration       = "KG020"
	codeSelector       = "KG021"
	codeSelectorQuotes = "KG022"
	codePath           = "KG023"
	codeCriterion      = "KG024"
	codeName           = "KG025"
)

// Codes explains what this package reports.
var Codes = diagnostic.Table{
	{ID: codeSpelling, Title: "misspelled marker", Explanation: "" +
		"A marker is a line comment that starts with `+kopf:on=` or `+kopf:operator=`, right after the slashes or after one space: lower case, " +
		"a colon, an equals sign. A line that was evidently meant as one is an error, since it would otherwise do nothing.\n\n" +
		"A marker that is indented further becomes an example when the source is formatted. Write it without the indentation, or, if an example " +
		"is what you want, with slashes of its own: `//\t//+kopf:on=create`."},
	{ID: codeUnknownMarker, Title: "unknown marker", Explanation: "" +
		"There are two markers: `+kopf:on=<kind>` on functions and `+kopf:operator=<name>` above the package clause. Types carry none: " +
		"what there is to say about them is said with the markers of kubebuilder."},
	{ID: codeMisplaced, Title: "marker in the wrong place", Explanation: "" +
		"`+kopf:on` stands above a function or method, `+kopf:operator` above the package clause. On types, variables, fields, inside functions " +
		"and after code they would mean nothing."},
	{ID: codeDetached, Title: "detached marker", Explanation: "" +
		"A marker belongs to the function below it if it stands in its doc comment, or in the comment above that, separated by exactly one blank line. " +
		"This one is farther away, or nothing follows it."},
	{ID: codeBlockComment, Title: "marker in a block comment", Explanation: "" +
		"Markers stand in line comments (`//`), as everywhere in the ecosystem; other tools do not see them in `/* */`."},
	{ID: codeQuote, Title: "bad quotes", Explanation: "" +
		"Text in double quotes is a Go string with its escapes; text in back quotes is taken as it stands. Both end on the same line. " +
		"Single quotes do not quote."},
	{ID: codeSeparator, Title: "missing or superfluous separator", Explanation: "" +
		"Arguments are separated by one comma, elements of a list by one semicolon; there is none at the end. A marker is one line."},
	{ID: codeLostText, Title: "text that belongs to no argument", Explanation: "" +
		"Everything up to the end of the line is part of the marker, even a `//`. Values with spaces need quotes; remarks go on a line of their own."},
	{ID: codeNoValue, Title: "argument without a value", Explanation: "" +
		"Every argument is written `name=value`, switches too: `optional=true`. Leave an argument out to get its default."},
	{ID: codeUnknownArg, Title: "unknown argument", Explanation: "" +
		"The marker reference lists the arguments and what they mean. Names are case-sensitive."},
	{ID: codeDuplicate, Title: "repeated argument", Explanation: "" +
		"Each argument, and each kind in the list of `on`, may be given once."},
	{ID: codeUnknownKind, Title: "unknown kind", Explanation: "" +
		"`on` takes one of the kinds in the marker reference, or several of create, update, delete, resume and field."},
	{ID: codeMixedKinds, Title: "kinds that cannot share a marker", Explanation: "" +
		"One marker may list several of create, update, delete, resume and field, which are called in the same way. Every other kind stands alone; " +
		"a function may carry several markers."},
	{ID: codeInapplicable, Title: "argument does not apply", Explanation: "" +
		"The argument means nothing for a kind of this marker. An argument that belongs to a single kind, such as `optional` to delete, may stand in a list " +
		"with others; any other must apply to all of them. Give the other kinds a marker of their own."},
	{ID: codeNotYet, Title: "not supported yet", Explanation: "" +
		"The kind, argument or form is part of the grammar, but this version does not generate anything for it. It is an error, so that nothing is silently ignored."},
	{ID: codeMissingArg, Title: "missing argument", Explanation: "" +
		"A `field` handler needs `field=`; `value=`, `old=` and `new=` are tests of that field and need it too. `sharp=` says how `interval=` is counted, and needs it."},
	{ID: codeExclusive, Title: "arguments that exclude each other", Explanation: "" +
		"`value=` passes if either the old or the new value does; `old=` and `new=` look at one side each. Use the one or the others. " +
		"`cancellationPolling=` is for daemons that are waited for without a limit, which `cancellationTimeout=` is."},
	{ID: codeValue, Title: "value of the wrong type", Explanation: "" +
		"The marker reference says what each argument takes. Numbers, durations, true, false and Go identifiers are written without quotes."},
	{ID: codeRange, Title: "value out of range", Explanation: "" +
		"`retries` counts attempts and `timeout` bounds them, so 0 would mean that the handler never runs: leave the argument out, or write `none` to lift " +
		"the operator's default. The times of daemons, timers and background work are above zero. `backoff=0s` is allowed and means at once. Nothing may be negative. A range goes from a shorter to a longer duration."},
	{ID: codeDuration, Title: "bad duration", Explanation: "" +
		"Durations are those of Go: `500ms`, `30s`, `5m`, `1h30m`. They need a unit, and there is none for days."},
	{ID: codeSelector, Title: "bad selector", Explanation: "" +
		"`labels` and `annotations` take the syntax of Kubernetes label selectors: `tier in (web,api),!legacy,release=stable`. Values are limited to what a " +
		"label may hold; to test other annotations use `field=metadata.annotations[\"key\"]` with `value=`, or `when=`."},
	{ID: codeSelectorQuotes, Title: "selector without quotes", Explanation: "" +
		"Selectors contain commas, spaces and equals signs, so they need quotes: `labels=\"tier in (web,api)\"`."},
	{ID: codePath, Title: "bad field path", Explanation: "" +
		"A path is a sequence of JSON names separated by dots: `spec.size`. A key that contains dots or slashes goes in brackets and quotes: " +
		"`metadata.annotations[\"demo.kopf.dev/owner\"]`. Elements of lists cannot be watched."},
	{ID: codeCriterion, Title: "bad criterion", Explanation: "" +
		"`value=`, `old=` and `new=` take a literal (a quoted string, a number, true or false), `*` for present, `!` for absent, or the name of a Go function."},
	{ID: codeName, Title: "bad name", Explanation: "" +
		"The value becomes a name in Kubernetes, which does not accept it."},
}
