package schema

import "github.com/kopfgen/kopfgen/internal/diagnostic"

// The codes of this package. Those that are exported are reported by package binding, which knows the parameters.
const (
	codeNoField     = "KG045"
	codePathEnds    = "KG046"
	CodeUnknownKind = "KG047"
	CodeAmbiguous   = "KG048"
	CodeConflict    = "KG049"
	codeIncomplete  = "KG050"
)

// Codes explains what this package reports.
var Codes = diagnostic.Table{
	{ID: codeNoField, Title: "unknown field", Explanation: "A field path names fields as they are spelled in JSON, from the root of the object: `spec.size`, `status.conditions`, `metadata.labels`. " +
		"Keys of maps that are not plain names go in brackets and quotes: `metadata.annotations[\"demo.example.com/owner\"]`."},
	{ID: codePathEnds, Title: "field path beyond what is known", Explanation: "Lists are watched as a whole, and nothing is known about what is inside a value of type `any`, `runtime.RawExtension`, " +
		"`intstr.IntOrString` or any other type that decodes itself. End the path there; `old` and `new` of type `kopf.Raw` take any value."},
	{ID: CodeUnknownKind, Title: "unknown kind", Explanation: "A handler must be about one kind of object. It is named by `kind=`, or follows from the parameters: the kind itself, its spec or its status. " +
		"A kind is a struct that embeds `metav1.TypeMeta` and `metav1.ObjectMeta`, in the package of the handler or in one that it imports. " +
		"Where none of this says which kind is meant, and the package does not declare exactly one, `kind=` is required. For objects without a Go type, name `group=`, `version=` and `kind=`, and take " +
		"`*unstructured.Unstructured` or `kopf.Raw`."},
	{ID: CodeAmbiguous, Title: "several kinds fit", Explanation: "More than one kind has that name, or that spec or status type. Add `kind=`, and `group=` or `version=` where the names are equal."},
	{ID: CodeConflict, Title: "parameters of another kind", Explanation: "All parameters of a handler, and `kind=`, `group=` and `version=` of its marker, must agree on one kind. For two kinds, write two functions."},
	{ID: codeIncomplete, Title: "kind that lacks something", Explanation: "A kind of your own needs a group and a version, from `+groupName=` and `+versionName=` in the comment above the package clause (the version defaults to the package's " +
		"name, if that looks like `v1`), and embeds `metav1.TypeMeta` with `json:\",inline\"` and `metav1.ObjectMeta` with `json:\"metadata,omitempty\"`. " +
		"An imported kind needs a list type beside it (`PodList` for `Pod`), or it cannot be watched; its group is the constant `GroupName` of its package or `+groupName=` in its sources, else " +
		"`group=` is required, and `version=` where the package is not named like a version."},
}
