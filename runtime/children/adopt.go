package children

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Adopt makes an object, which has yet to be sent, a child of an owner: the child gets a reference to the owner, as by [AppendOwnerReference],
// and the owner's namespace, a name after the owner's, and the owner's labels, wherever it has none of its own. [Forced] overrides what the
// child has.
//
// The name is a prefix, so that adopting twice makes two children; [Strict] makes the name the owner's, for one child only. [Nested] labels the
// templates in it, too; [WithLabels] gives it other labels.
//
// An error leaves the child half adopted: it should not be sent.
func Adopt(owner, child Object, opts ...AdoptOption) error {
	o := collect(opts, AdoptOption.toAdopt)
	kind, err := kindOf(owner, nil)
	if err != nil {
		return err
	}
	ref, err := reference(owner, kind, o)
	if err != nil {
		return err
	}
	return adopt(owner, child, ref, o)
}

func adopt(owner, child Object, ref metav1.OwnerReference, o options) error {
	// The namespace comes first: it decides whether there can be a reference.
	adjust(child, owner.GetNamespace(), o)
	if err := harmonize(child, owner.GetName(), o); err != nil {
		return err
	}
	if err := own(owner, child, ref); err != nil {
		return err
	}
	labels := o.labels
	if labels == nil {
		labels = owner.GetLabels()
	}
	return label(child, labels, o)
}
