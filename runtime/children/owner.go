package children

import (
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// ErrOtherNamespace is the reason why an object cannot have an owner: garbage collection looks for the owner beside the object, would not find
// it, and would delete the object.
var ErrOtherNamespace = errors.New("an object cannot be owned from another namespace")

// Reference makes a reference to an owner. It is the controller and blocks its deletion, unless options say otherwise. An owner without kind,
// name or uid is an error: it has not been in a cluster yet.
func Reference(owner Object, opts ...ReferenceOption) (metav1.OwnerReference, error) {
	kind, err := kindOf(owner, nil)
	if err != nil {
		return metav1.OwnerReference{}, fmt.Errorf("refer to an owner: %w", err)
	}
	return reference(owner, kind, collect(opts, ReferenceOption.toReference))
}

func reference(owner Object, kind schema.GroupVersionKind, o options) (metav1.OwnerReference, error) {
	if owner.GetName() == "" || owner.GetUID() == "" {
		return metav1.OwnerReference{}, fmt.Errorf("refer to an owner: %s has no name or no uid", describe(owner))
	}
	ref := metav1.OwnerReference{APIVersion: kind.GroupVersion().String(), Kind: kind.Kind, Name: owner.GetName(), UID: owner.GetUID()}
	yes := true
	if !o.notController {
		ref.Controller = &yes
	}
	if !o.notBlocking {
		ref.BlockOwnerDeletion = &yes
	}
	return ref, nil
}

// AppendOwnerReference adds a reference to an owner to a child, unless it has one: a reference with the same uid is left as it is, as Kopf
// leaves it.
//
// It is an error if both have a namespace and not the same one. A child without a namespace is expected to get that of its owner; see [Adopt].
// It is an error, too, if the child has another controller, since the API server would refuse a second one; use [NotController] then.
func AppendOwnerReference(owner, child Object, opts ...ReferenceOption) error {
	ref, err := Reference(owner, opts...)
	if err != nil {
		return err
	}
	return own(owner, child, ref)
}

func own(owner, child Object, ref metav1.OwnerReference) error {
	if owner.GetNamespace() != "" && child.GetNamespace() != "" && owner.GetNamespace() != child.GetNamespace() {
		return fmt.Errorf("let %s own %s: %w", describe(owner), describe(child), ErrOtherNamespace)
	}
	refs := child.GetOwnerReferences()
	if refersTo(refs, ref.UID) {
		return nil
	}
	if other := metav1.GetControllerOfNoCopy(child); other != nil && ref.Controller != nil {
		return fmt.Errorf("let %s own %s: %s %q is its controller already", describe(owner), describe(child), other.Kind, other.Name)
	}
	child.SetOwnerReferences(append(slices.Clone(refs), ref))
	return nil
}

// RemoveOwnerReference removes every reference to an owner from a child: those with its uid. The owner needs nothing but that.
func RemoveOwnerReference(owner, child metav1.Object) error {
	if owner.GetUID() == "" {
		return fmt.Errorf("remove the reference to owner %q from %q: the owner has no uid", owner.GetName(), child.GetName())
	}
	refs := child.GetOwnerReferences()
	if !refersTo(refs, owner.GetUID()) {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(refs), func(ref metav1.OwnerReference) bool { return ref.UID == owner.GetUID() })
	if len(rest) == 0 {
		rest = nil
	}
	child.SetOwnerReferences(rest)
	return nil
}

func refersTo(refs []metav1.OwnerReference, uid types.UID) bool {
	return slices.ContainsFunc(refs, func(ref metav1.OwnerReference) bool { return ref.UID == uid })
}
