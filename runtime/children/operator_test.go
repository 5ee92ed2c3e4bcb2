package children_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/conditions"
)

// Site is the kind of the operator in example_operator_test.go.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Image string            `json:"image"`
		Pages map[string]string `json:"pages,omitempty"`
	} `json:"spec"`
	Status struct {
		// +listType=map
		// +listMapKey=type
		Conditions []metav1.Condition `json:"conditions,omitempty"`
	} `json:"status,omitempty"`
}

// DeepCopyObject makes a Site an object, as the generator does for the kinds of an operator.
func (s *Site) DeepCopyObject() runtime.Object { panic("handlers are given a copy of their own") }

// The operator that the documentation shows does what it says, however often it is called.
func TestOperatorOfTheDocumentation(t *testing.T) {
	server := controlplane.Shared(t)
	server.ApplyFile(t, "testdata/crds.yaml")
	namespace := server.Namespace(t)
	object := server.Apply(t, namespace, "{apiVersion: children.kopf.dev/v1, kind: Site, metadata: {name: home}}")[0]
	site := &Site{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, site); err != nil {
		t.Fatal(err)
	}
	site.Spec.Image, site.Spec.Pages = "web:1", map[string]string{"a": "A", "b": "B"}

	client, err := Connect(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	objects, err := dynamic.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	// versions returns the children that are there, and the version of each.
	versions := func() map[string]string {
		t.Helper()
		found := map[string]string{}
		for _, resource := range []schema.GroupVersionResource{
			corev1.SchemeGroupVersion.WithResource("secrets"), corev1.SchemeGroupVersion.WithResource("configmaps"), {Group: "apps", Version: "v1", Resource: "deployments"},
		} {
			list, err := objects.Resource(resource).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, child := range list.Items {
				if metav1.IsControlledBy(&child, site) {
					found[child.GetKind()+" "+child.GetName()] = child.GetResourceVersion()
				}
			}
		}
		return found
	}
	// Nothing runs Pods here, so it waits for them for ever.
	serve := func() {
		t.Helper()
		var waits *kopf.WaitError
		if err := Serve(t.Context(), site, client); !errors.As(err, &waits) {
			t.Fatalf("got error %v, want it to wait", err)
		}
	}

	serve()
	first := versions()
	for _, child := range []string{"Secret home", "ConfigMap home-a", "ConfigMap home-b", "Deployment home"} {
		if first[child] == "" {
			t.Errorf("%s is missing in %v", child, first)
		}
	}
	if ready, _ := conditions.Get(site.Status.Conditions, conditions.Ready); ready.Reason != "Starting" || ready.ObservedGeneration != site.Generation {
		t.Errorf("condition: %+v", ready)
	}

	serve()
	if diff := cmp.Diff(first, versions()); diff != "" {
		t.Errorf("calling it again changed something (-first +again):\n%s", diff)
	}

	// Somebody reports a replica, as the controller of Deployments would.
	_, err = objects.Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}).Namespace(namespace).
		Patch(t.Context(), "home", types.MergePatchType, []byte(`{"status":{"replicas":1,"readyReplicas":1}}`), metav1.PatchOptions{}, "status")
	if err != nil {
		t.Fatal(err)
	}
	before := versions()
	delete(site.Spec.Pages, "b")
	if err := Serve(t.Context(), site, client); err != nil {
		t.Fatal(err)
	}
	delete(before, "ConfigMap home-b")
	if diff := cmp.Diff(before, versions()); diff != "" {
		t.Errorf("with one page less (-want +got):\n%s", diff)
	}
	if !conditions.IsTrue(site.Status.Conditions, conditions.Ready) {
		t.Errorf("conditions: %+v", site.Status.Conditions)
	}
}
