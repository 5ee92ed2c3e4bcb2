package generator

import (
	"github.com/kopfgen/kopfgen/generator/access"
	"github.com/kopfgen/kopfgen/generator/binding"
	"github.com/kopfgen/kopfgen/generator/manifest"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// The codes of this package.
const (
	codeSameID      = "KG073"
	codeIllegalID   = "KG074"
	codeOperator    = "KG075"
	codeRivals      = "KG076"
	codeNothing     = "KG077"
	codeNameTaken   = "KG078"
	codeInternal    = "KG079"
	codeTwin        = "KG087"
	codeNoNamespace = "KG088"
)

// Codes explains what this package reports.
var Codes = diagnostic.Table{
	{ID: codeSameID, Title: "two handlers with one id", Explanation: "Progress and results are stored on the object under the handler's id, so two functions with the same id on one kind would share them. " +
		"The id is the function's name unless `id=` says otherwise, with the field appended."},
	{ID: codeIllegalID, Title: "id that cannot be stored", Explanation: "Progress is stored in an annotation that is named after the id. Its name may contain letters, digits, `-`, `_` and `.`, with a letter or digit at both ends."},
	{ID: codeOperator, Title: "misplaced or second operator", Explanation: "Handlers belong to an operator: the package with the one `+kopf:operator=` marker above its package clause, or a `package main` that has handlers. Another package's handlers are taken " +
		"with `packages=`. The name defaults to the directory or package; it must be a DNS label."},
	{ID: codeRivals, Title: "two operators with the same finalizer or prefix", Explanation: "Operators that handle the same kind would take each other's finalizers and progress for their own. Give one of them another `finalizer=` and `prefix=`."},
	{ID: codeNothing, Title: "nothing to generate", Explanation: "The package has no handler: no function with a `+kopf:on=` marker in its doc comment."},
	{ID: codeNameTaken, Title: "name that generated code needs", Explanation: "The generated file declares the function `Operator`, which `main` and embedders call, so the package must not declare that name itself. " +
		"Nor may this package, or a package of kinds, redeclare predeclared names that generated code uses, such as `string`, `error` or `nil`."},
	{ID: codeTwin, Title: "two types for one kind", Explanation: "The CRD of a kind is made from its Go type, so an operator can have only one type for a kind in a version of a group. Import that type instead of declaring it again."},
	{ID: codeNoNamespace, Title: "namespace= for objects that have none", Explanation: "The kind is scoped to the cluster, by `+kubebuilder:resource:scope=Cluster` on its type or because it is in Kubernetes, so `namespace=` would match none of its objects."},
	{ID: codeInternal, Title: "internal error", Explanation: "This is a mistake in kopfgen. Please report it with the source that caused it."},
}

// Tables are the codes of all stages.
func Tables() []diagnostic.Table {
	return []diagnostic.Table{markers.Codes, source.Codes, schema.Codes, binding.Codes, access.Codes, Codes, manifest.Codes}
}
