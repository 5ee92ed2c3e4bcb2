package access

import "github.com/kopfgen/kopfgen/internal/diagnostic"

// The codes of this package.
const (
	codeUnseen = "KG120"
	codeRule   = "KG121"
)

// Codes explains what this package reports.
var Codes = diagnostic.Table{
	{ID: codeUnseen, Title: "use of a client that cannot be followed", Explanation: "kopfgen reads from calls such as those of `client.Get` and `children.Apply` which rights the operator needs. Here it cannot: the type is only known when the program runs, " +
		"its API group or version is not known, or the call is in a package that does not belong to the operator. Make the call with the type itself, list the package in `packages=`, or add the rights with a `+kubebuilder:rbac` marker above the package clause."},
	{ID: codeRule, Title: "bad +kubebuilder:rbac marker", Explanation: "Rights that kopfgen cannot see are added by markers above the package clause or beside it, such as `//+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list`. " +
		"kopfgen writes one role for each operator, so `namespace=` and `roleName=` have no meaning."},
}
