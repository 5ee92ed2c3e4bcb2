package controlplane

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/kopfgen/kopfgen/internal/controlplane/apply"
)

var namespaceResource = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// Namespace creates a namespace named after the test and returns its name. It is deleted after the test; nobody waits for
// that, as it takes the server some seconds.
func (cp *ControlPlane) Namespace(t testing.TB) string {
	t.Helper()
	client, err := dynamic.NewForConfig(cp.Config())
	if err != nil {
		t.Fatalf("create a client: %v", err)
	}
	namespaces := client.Resource(namespaceResource)
	name := namespaceName(t.Name())
	namespace := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name},
	}}
	if _, err := namespaces.Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
		t.Fatalf("create namespace %q: %v", name, err)
	}
	t.Cleanup(func() {
		// The context of the test has ended by now.
		if err := namespaces.Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
			t.Logf("delete namespace %q: %v", name, err)
		}
	})
	return name
}

// namespaceName turns the name of a test into a name that Kubernetes accepts and that no other test has.
func namespaceName(test string) string {
	readable := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(test))
	readable = strings.Trim(readable[:min(len(readable), 40)], "-")
	return fmt.Sprintf("%s-%s", readable, strings.ToLower(rand.Text()[:8]))
}

// ApplyFile applies the objects of YAML files with server-side apply and waits until the custom resource definitions among
// them can be used. Objects that name no namespace go to "default".
func (cp *ControlPlane) ApplyFile(t testing.TB, paths ...string) {
	t.Helper()
	cp.applier(t, func(a *apply.Applier) error {
		_, err := a.Files(t.Context(), metav1.NamespaceDefault, paths...)
		return err
	})
}

// Apply applies the objects of a YAML text as ApplyFile does. Objects that name no namespace go to the one given. It returns
// the objects as the server has them then.
func (cp *ControlPlane) Apply(t testing.TB, namespace, manifest string) []*unstructured.Unstructured {
	t.Helper()
	var applied []*unstructured.Unstructured
	cp.applier(t, func(a *apply.Applier) (err error) {
		applied, err = a.Manifest(t.Context(), namespace, []byte(manifest))
		return err
	})
	return applied
}

func (cp *ControlPlane) applier(t testing.TB, do func(*apply.Applier) error) {
	t.Helper()
	a, err := apply.New(cp.Config())
	if err == nil {
		err = do(a)
	}
	if err != nil {
		t.Fatal(err)
	}
}
