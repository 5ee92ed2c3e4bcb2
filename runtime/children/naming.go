package children

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HarmonizeNaming names an object that has neither a name nor a generateName; with [Forced], any.
//
// The name becomes a prefix, generateName, to which the API server appends something random; the real name is in its answer. With [Strict] the
// object gets the name itself. The other one of the two is removed. It is an error if the name is empty.
func HarmonizeNaming(child metav1.Object, name string, opts ...NamingOption) error {
	return harmonize(child, name, collect(opts, NamingOption.toNaming))
}

func harmonize(child metav1.Object, name string, o options) error {
	if name == "" {
		return fmt.Errorf("name an object of type %T: no name was given", child)
	}
	if !o.forced && (child.GetName() != "" || child.GetGenerateName() != "") {
		return nil
	}
	if o.strict {
		child.SetName(name)
		child.SetGenerateName("")
	} else {
		child.SetName("")
		child.SetGenerateName(name + "-")
	}
	return nil
}

// AdjustNamespace puts an object that has no namespace into one; with [Forced], any. An empty namespace, that of a cluster-scoped owner, is
// set like any other.
func AdjustNamespace(child metav1.Object, namespace string, opts ...NamespaceOption) {
	adjust(child, namespace, collect(opts, NamespaceOption.toNamespace))
}

func adjust(child metav1.Object, namespace string, o options) {
	if o.forced || child.GetNamespace() == "" {
		child.SetNamespace(namespace)
	}
}
