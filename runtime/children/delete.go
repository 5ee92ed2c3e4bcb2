package children

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// Delete deletes a child, by its kind and name alone, and tells whether there was anything to delete: it is no error if the child has gone, or
// is about to go. As with [Apply], it has the name and the namespace of its owner if it has none of its own. What it
// owns goes with it.
//
// An object of that name that does not belong to the owner is left alone, with [ErrNotOwned]. The operator needs the rights to get and delete.
func Delete(ctx context.Context, c *Client, owner, child Object) (deleted bool, err error) {
	defer describing(&err, "delete", child, owner)
	kind, err := kindOf(child, c.Scheme)
	if err != nil {
		return false, err
	}
	at, err := c.kinds.find(ctx, kind)
	if err != nil {
		return false, err
	}
	id := identity(child, owner)
	collection := c.in(at, id.namespace)
	is, err := collection.Get(ctx, id.name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return false, nil
	case err != nil:
		return false, err
	case !ownedBy(is, owner):
		return false, ErrNotOwned
	}
	return remove(ctx, collection, is)
}

// Prune deletes the children of one kind that are no longer wanted, and returns their names: all that belong to the owner, match a label selector
// such as "app=web,tier in (a,b)", and are not among those to keep, by name. An empty selector means all of that kind. What does not belong to the
// owner is never touched, whatever its labels.
//
// Those to keep are what was applied before, as it was given to [Apply]. The operator needs the rights to list and delete. One that cannot
// be deleted does not keep the others from being tried.
func Prune[T Object](ctx context.Context, c *Client, owner Object, kind schema.GroupVersionKind, selector string, keep []T) (pruned []string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("prune %s of %s: %w", kind.Kind, describe(owner), err)
		}
	}()
	if owner.GetUID() == "" {
		return nil, errors.New("the owner has no uid")
	}
	if _, err := labels.Parse(selector); err != nil {
		return nil, err
	}
	at, err := c.kinds.find(ctx, kind)
	if err != nil {
		return nil, err
	}
	kept := map[name]bool{}
	for _, child := range keep {
		kept[identity(child, owner)] = true
	}
	list, err := c.in(at, owner.GetNamespace()).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return nil, err
	}
	var errs []error
	for i := range list.Items {
		child := &list.Items[i]
		if !ownedBy(child, owner) || kept[name{child.GetNamespace(), child.GetName()}] {
			continue
		}
		deleted, err := remove(ctx, c.in(at, child.GetNamespace()), child)
		if err != nil {
			errs = append(errs, fmt.Errorf("delete %q: %w", child.GetName(), err))
		} else if deleted {
			pruned = append(pruned, child.GetName())
		}
	}
	return pruned, errors.Join(errs...)
}

// name is that of an object among those of its kind.
type name struct{ namespace, name string }

// identity is the name under which a child of an owner is applied.
func identity(child, owner Object) name {
	id := name{child.GetNamespace(), child.GetName()}
	if id.namespace == "" {
		id.namespace = owner.GetNamespace()
	}
	if id.name == "" {
		id.name = owner.GetName()
	}
	return id
}

// remove deletes the very object that was read, not another one that has its name by now. It says what becomes of what that owns: the
// Pods of a Job would be left behind by default.
func remove(ctx context.Context, collection dynamic.ResourceInterface, child *unstructured.Unstructured) (bool, error) {
	if child.GetDeletionTimestamp() != nil {
		return false, nil
	}
	uid, background := child.GetUID(), metav1.DeletePropagationBackground
	err := collection.Delete(ctx, child.GetName(), metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &uid}, PropagationPolicy: &background,
	})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return false, nil
	}
	return err == nil, err
}
