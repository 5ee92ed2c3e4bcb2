package manifest

import "github.com/kopfgen/kopfgen/internal/diagnostic"

// The codes of this package.
const (
	codeSchema    = "KG080"
	codeRecursive = "KG081"
	codeCollision = "KG082"
	codePruned    = "KG083"
	codeDefault   = "KG084"
	codeNoCopy    = "KG085"
	codeNoGroup   = "KG086"
	codeMarker    = "KG090"
	codeValue     = "KG091"
)

// Codes explains what this package reports.
var Codes = diagnostic.Table{
	{ID: codeSchema, Title: "type that has no schema", Explanation: "The CRD of a kind is made from its Go types by controller-tools, and so are the deep copies. Fields need `json` tags and types that a " +
		"structural schema can describe: no interfaces, no unnamed structs, no generic types, no keys of maps other than strings."},
	{ID: codeRecursive, Title: "recursive type", Explanation: "A structural schema cannot refer to itself, so a type that contains itself cannot be described. Mark the field on the way with " +
		"`+kubebuilder:validation:Schemaless` and `+kubebuilder:pruning:PreserveUnknownFields`: the API server then stores what it gets."},
	{ID: codeCollision, Title: "result that clashes with a field of the status", Explanation: "What a handler returns is written to `status.<id>`. The status already has a field of that name and another type, so the API server " +
		"would refuse the result. Return the field's type, choose another key with `result=<key>`, or drop the result with `result=none`."},
	{ID: codePruned, Title: "result that would be lost", Explanation: "What a handler returns is written to `status.<id>`. This kind's definition belongs to somebody else and has no such field: the API server " +
		"drops it without an error. Use `result=none`, or return a field that the status has."},
	{ID: codeDefault, Title: "default that hides the zero value", Explanation: "A handler edits an object as a Go value. If a field has `omitempty` and is not a pointer, its zero value is left out, and the API server then " +
		"puts the default of the CRD back. If zero is a value that handlers set, make the field a pointer or remove `omitempty`."},
	{ID: codeNoCopy, Title: "type without a deep copy", Explanation: "Objects are copied deeply, so every type that a kind reaches needs the methods `DeepCopyInto` and `DeepCopy`. They are generated for the " +
		"types of your module; this one belongs to another module that has none, or is generic. Write them by hand on a type of your own."},
	{ID: codeNoGroup, Title: "kind without a group", Explanation: "The package that declares a kind names its API group and version in its comment: `+groupName=demo.example.com` and `+versionName=v1`."},
	{ID: codeMarker, Title: "unknown marker of kubebuilder", Explanation: "Types carry the markers of kubebuilder, such as `+kubebuilder:subresource:status`. controller-tools passes over those that it does " +
		"not know, so a misspelled one would only be noticed when the API server behaves differently than intended."},
	{ID: codeValue, Title: "value of the wrong type", Explanation: "`+kubebuilder:default` and `+kubebuilder:validation:Enum` take any value, but the API server refuses a CRD in which it is not of the " +
		"field's type. Text that looks like a number needs quotes."},
}
