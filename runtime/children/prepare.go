package children

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/dynamic"
)

// prepared is a child as it is to be sent, and where to.
type prepared struct {
	collection dynamic.ResourceInterface
	object     *unstructured.Unstructured
}

// prepare adopts a copy of a child, under its owner's name unless it has one.
func (c *Client) prepare(ctx context.Context, owner, child Object, o options) (prepared, error) {
	if child.GetResourceVersion() != "" || child.GetUID() != "" || len(child.GetManagedFields()) > 0 {
		return prepared{}, errors.New("it was read from a cluster: describe what it should be, and nothing else, or the operator claims everything that others have set")
	}
	kind, err := kindOf(child, c.Scheme)
	if err != nil {
		return prepared{}, err
	}
	ownerKind, err := kindOf(owner, c.Scheme)
	if err != nil {
		return prepared{}, err
	}
	ref, err := reference(owner, ownerKind, o)
	if err != nil {
		return prepared{}, err
	}
	at, err := c.kinds.find(ctx, kind)
	if err != nil {
		return prepared{}, err
	}
	if !at.namespaced && owner.GetNamespace() != "" {
		return prepared{}, fmt.Errorf("%s has no namespace and its owner has one: %w", kind.Kind, ErrOtherNamespace)
	}

	copied, err := clone(child)
	if err != nil {
		return prepared{}, err
	}
	o.strict = true
	if err := adopt(owner, copied, ref, o); err != nil {
		return prepared{}, err
	}
	switch {
	case copied.GetName() == "":
		return prepared{}, errors.New("it has a generateName: each attempt would make another one; give it a name, or none for its owner's")
	case at.namespaced && copied.GetNamespace() == "":
		return prepared{}, errors.New("it has no namespace, and neither has its owner")
	}
	object, err := toUnstructured(copied)
	if err != nil {
		return prepared{}, err
	}
	object.SetGroupVersionKind(kind)
	return prepared{collection: c.in(at, object.GetNamespace()), object: object}, nil
}

// toUnstructured turns an object into what is sent of it: everything but the status, which is for whoever runs the child. What a Go type
// cannot leave out, and says null for, is left out here: it is not meant.
func toUnstructured(o Object) (*unstructured.Unstructured, error) {
	if u, ok := o.(*unstructured.Unstructured); ok {
		delete(u.Object, "status")
		return u, nil
	}
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, err
	}
	delete(object, "status")
	dropNulls(object)
	return &unstructured.Unstructured{Object: object}, nil
}

func dropNulls(value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			if item == nil {
				delete(v, key)
			} else {
				dropNulls(item)
			}
		}
	case []any:
		for _, item := range v {
			dropNulls(item)
		}
	}
}

// clone copies an object. One without a Go type goes through JSON, which takes what Go programs put into it, such as an int, where
// DeepCopy panics.
func clone(o Object) (Object, error) {
	if u, ok := o.(*unstructured.Unstructured); ok {
		data, err := json.Marshal(u.Object)
		if err != nil {
			return nil, err
		}
		copied := &unstructured.Unstructured{}
		return copied, json.Unmarshal(data, &copied.Object)
	}
	copied, ok := o.DeepCopyObject().(Object)
	if !ok {
		return nil, fmt.Errorf("a copy of a %T is a %T", o, o.DeepCopyObject())
	}
	return copied, nil
}

// decode turns what the server has into an object of the same type as the child.
func decode[T Object](live *unstructured.Unstructured, child T) (T, error) {
	if _, ok := any(child).(*unstructured.Unstructured); ok {
		return any(live).(T), nil
	}
	typed := reflect.New(reflect.TypeOf(child).Elem()).Interface().(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(live.Object, typed); err != nil {
		return typed, fmt.Errorf("decode what the server has: %w", err)
	}
	return typed, nil
}

// ownedBy tells whether an object in the cluster refers to an owner.
func ownedBy(child, owner metav1.Object) bool {
	return refersTo(child.GetOwnerReferences(), owner.GetUID())
}
