package children

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var (
	// ErrNotOwned is the reason why an object is left alone: one of that name exists and does not belong to the owner. It may belong to an
	// earlier owner of the same name, and be about to be collected, or to somebody else.
	ErrNotOwned = errors.New("it exists already and does not belong to the owner")
	// ErrTerminating is the reason why a child is not what it should be: it is being deleted, and can be made anew once it has gone.
	ErrTerminating = errors.New("it is being deleted")
)

// Apply brings a child to what it should be, and returns it as the API server has it then, and whether that changed it.
//
// The child says what the operator cares for. It is adopted as by [Adopt], under the name of its owner if it has none, and sent as a
// server-side apply. Fields that it does not mention keep the defaults of the server or what others have set; fields that it mentioned the last
// time, and no longer, are removed; fields that others have set differently are taken from them. Applying the same again writes nothing, and
// the status of the child does not matter: it is not sent, and a new one is no change.
//
// The child itself is not touched: describe it anew each time, and do not apply what was read. A Go type cannot leave out all of its fields: a
// number that is always in its JSON is applied even if it is 0.
//
// An object of that name that does not belong to the owner is left alone, with [ErrNotOwned], unless the option [TakeOver] is given. One
// that is being deleted is an [ErrTerminating]. The operator needs the rights to get, create and patch.
func Apply[T Object](ctx context.Context, c *Client, owner Object, child T, opts ...ApplyOption) (live T, changed bool, err error) {
	defer describing(&err, "apply", child, owner)
	o := collect(opts, ApplyOption.toApply)
	p, err := c.prepare(ctx, owner, child, o)
	if err != nil {
		return live, false, err
	}
	before, err := p.collection.Get(ctx, p.object.GetName(), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		before = nil
	case err != nil:
		return live, false, err
	case !ownedBy(before, owner) && !o.takeOver:
		return live, false, ErrNotOwned
	case before.GetDeletionTimestamp() != nil:
		return live, false, ErrTerminating
	}
	after, err := p.collection.Apply(ctx, p.object.GetName(), p.object, metav1.ApplyOptions{FieldManager: c.manager, Force: true})
	if err != nil {
		return live, false, err
	}
	changed = before == nil || differ(before, after)
	if after.GetDeletionTimestamp() != nil {
		return live, changed, ErrTerminating
	}
	live, err = decode(after, child)
	return live, changed, err
}

// Create makes a child if it is not there, and returns it as the API server has it, and whether it was made. It is adopted as by [Apply].
//
// A child that is there already stays as it is, whatever the one given looks like: Create is for what is made once and then lives its own
// life, such as a generated password, and for kinds that cannot be changed, such as a Job. Use Apply for everything else, and not both for one
// child.
//
// An object of that name that does not belong to the owner is an [ErrNotOwned], one that is being deleted an [ErrTerminating]. The
// operator needs the rights to create and get.
func Create[T Object](ctx context.Context, c *Client, owner Object, child T, opts ...CreateOption) (live T, created bool, err error) {
	defer describing(&err, "create", child, owner)
	o := collect(opts, CreateOption.toCreate)
	p, err := c.prepare(ctx, owner, child, o)
	if err != nil {
		return live, false, err
	}
	is, err := p.collection.Create(ctx, p.object, metav1.CreateOptions{FieldManager: c.manager})
	created = err == nil
	if apierrors.IsAlreadyExists(err) {
		is, err = p.collection.Get(ctx, p.object.GetName(), metav1.GetOptions{})
	}
	switch {
	case err != nil:
		return live, false, err
	case !created && !ownedBy(is, owner):
		return live, false, ErrNotOwned
	case is.GetDeletionTimestamp() != nil:
		return live, false, ErrTerminating
	}
	live, err = decode(is, child)
	return live, created, err
}

// differ tells whether two states of an object differ in anything but the status, and what the server notes about each write.
func differ(before, after *unstructured.Unstructured) bool {
	return !equality.Semantic.DeepEqual(essential(before), essential(after))
}

func essential(u *unstructured.Unstructured) map[string]any {
	u = u.DeepCopy()
	delete(u.Object, "status")
	u.SetManagedFields(nil)
	u.SetResourceVersion("")
	return u.Object
}

// describing adds to an error which operation on which child of which owner failed.
func describing(err *error, operation string, child, owner Object) {
	if *err != nil {
		*err = fmt.Errorf("%s %s of %s: %w", operation, describe(child), describe(owner), *err)
	}
}
