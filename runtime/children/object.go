package children

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Object is a pointer to a type of a Kubernetes API, of the author or of others, such as *appsv1.Deployment; or an *unstructured.Unstructured.
//
// Its kind is what its TypeMeta says. Objects that a handler is given have one; an object that is made in Go gets one when it is written down,
// as in YAML:
//
//	&appsv1.Deployment{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}, …}
type Object interface {
	metav1.Object
	runtime.Object
}

// kindOf returns the kind of an object, from its TypeMeta or else from a scheme, which may be nil.
func kindOf(o Object, scheme *runtime.Scheme) (schema.GroupVersionKind, error) {
	kind := o.GetObjectKind().GroupVersionKind()
	if kind.Version != "" && kind.Kind != "" {
		return kind, nil
	}
	if scheme == nil {
		return kind, fmt.Errorf("%T %q does not say its kind: set apiVersion and kind in its TypeMeta", o, o.GetName())
	}
	kinds, _, err := scheme.ObjectKinds(o)
	if err == nil && len(kinds) != 1 {
		err = errors.New("it is of several kinds")
	}
	if err != nil {
		return kind, fmt.Errorf("%T %q does not say its kind, and the scheme does not either: %w", o, o.GetName(), err)
	}
	return kinds[0], nil
}

// describe names an object in errors: by kind and name, as people look for it.
func describe(o Object) string {
	name := o.GetName()
	if o.GetNamespace() != "" {
		name = o.GetNamespace() + "/" + name
	}
	kind := o.GetObjectKind().GroupVersionKind().Kind
	if kind == "" {
		kind = fmt.Sprintf("%T", o)
	}
	return fmt.Sprintf("%s %q", kind, name)
}
