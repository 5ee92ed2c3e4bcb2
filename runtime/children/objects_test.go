package children

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// parent is an owner as a handler is given one.
func parent(namespace string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{APIVersion: "demo.kopf.dev/v1", Kind: "Greeter"},
		ObjectMeta: metav1.ObjectMeta{
			Name: "world", Namespace: namespace, UID: "u-world", Labels: map[string]string{"app": "greet", "tier": "web"},
		},
	}
}

// deployment is a child with this metadata, and labels on its template.
func deployment(meta metav1.ObjectMeta, template map[string]string) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"}, ObjectMeta: meta,
		Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: template}}},
	}
}

// onBothForms does the same to a typed object and to an unstructured one, and compares what has become of either.
func onBothForms(t *testing.T, child, want *appsv1.Deployment, do func(child Object) error) {
	t.Helper()
	t.Run("typed", func(t *testing.T) {
		child := child.DeepCopy()
		if err := do(child); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, child); diff != "" {
			t.Errorf("child (-want +got):\n%s", diff)
		}
	})
	t.Run("unstructured", func(t *testing.T) {
		child := untyped(t, child)
		if err := do(child); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(untyped(t, want), child); diff != "" {
			t.Errorf("child (-want +got):\n%s", diff)
		}
	})
}

func untyped(t *testing.T, o Object) *unstructured.Unstructured {
	t.Helper()
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: object}
}

// refTo is a reference to an owner of this name; its uid is made of it.
func refTo(name string, controller, block *bool) metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: "demo.kopf.dev/v1", Kind: "Greeter", Name: name, UID: types.UID("u-" + name), Controller: controller, BlockOwnerDeletion: block,
	}
}
