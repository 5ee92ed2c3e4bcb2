package children_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kopfgen/kopfgen/runtime/children"
)

// home is an owner as a handler is given one.
var home = &unstructured.Unstructured{Object: map[string]any{
	"apiVersion": "demo.kopf.dev/v1", "kind": "Site",
	"metadata": map[string]any{"name": "home", "namespace": "web", "uid": "6f4c", "labels": map[string]any{"team": "red"}},
}}

func ExampleAdopt() {
	pod := &corev1.Pod{}
	if err := children.Adopt(home, pod); err != nil {
		fmt.Println(err)
	}
	fmt.Println(pod.Namespace, pod.GenerateName, pod.Labels)
	fmt.Println(pod.OwnerReferences[0].Kind, pod.OwnerReferences[0].Name)
	// Output:
	// web home- map[team:red]
	// Site home
}

// There is only one of them, so it may have the owner's name; and its Pods are to be found by the owner's labels, too.
func ExampleAdopt_options() {
	server := &appsv1.Deployment{}
	if err := children.Adopt(home, server, children.Strict, children.Nested("spec.template")); err != nil {
		fmt.Println(err)
	}
	fmt.Println(server.Name, server.Labels, server.Spec.Template.Labels)
	// Output:
	// home map[team:red] map[team:red]
}

// An owner that cannot own is an error before anything is sent.
func ExampleAdopt_otherNamespace() {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "copy", Namespace: "shop"}}
	fmt.Println(children.Adopt(home, secret))
	// Output:
	// let Site "web/home" own *v1.Secret "shop/copy": an object cannot be owned from another namespace
}

// What the object has wins, unless forced.
func ExampleLabel() {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"team": "blue"}}}
	labels := map[string]string{"team": "red", "tier": "front"}
	fmt.Println(children.Label(pod, labels), pod.Labels)
	fmt.Println(children.Label(pod, labels, children.Forced), pod.Labels)
	// Output:
	// <nil> map[team:blue tier:front]
	// <nil> map[team:red tier:front]
}
