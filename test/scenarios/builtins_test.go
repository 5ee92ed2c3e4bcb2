package scenarios

import (
	"fmt"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

// TestBuiltinKinds serves what Kubernetes itself defines: objects without a spec and a status, and objects outside of namespaces, which are
// served whatever namespaces are.
func TestBuiltinKinds(t *testing.T) {
	s := begin(t)
	cp := controlplane.Shared(t)
	only := labels("story=" + s.Namespace())
	op := s.Run(operator.Definition{Name: "builtins", Resources: []operator.Resource{
		{Version: "v1", Kind: "ConfigMap", Plural: "configmaps", Namespaced: true, Handlers: []operator.Handler{
			s.handler(operator.OnCreate, "made", failing(1, 50*time.Millisecond), only),
			s.handler(operator.OnField, "part/data.a", fine, only, field("data", "a")),
		}},
		{Version: "v1", Kind: "Namespace", Plural: "namespaces", Watch: operator.Watch{Finalizer: true}, Handlers: []operator.Handler{
			s.handler(operator.OnCreate, "made", fine, only),
			s.handler(operator.OnDelete, "left", failing(1, 50*time.Millisecond), only),
		}},
	}})
	name := "builtin-" + s.Namespace()
	metadata := fmt.Sprintf("{name: %s, labels: {story: %s}}", name, s.Namespace())
	cp.Apply(t, s.Namespace(), "{apiVersion: v1, kind: ConfigMap, metadata: "+metadata+", data: {a: one, b: two}}")
	cp.Apply(t, "", "{apiVersion: v1, kind: Namespace, metadata: "+metadata+"}")

	config := s.client("v1", "configmaps")
	s.untilObject(func() (*unstructured.Unstructured, error) { return config.Get(t.Context(), name, metav1.GetOptions{}) },
		handledOnly)
	if _, err := config.Patch(t.Context(), name, types.MergePatchType, []byte(`{"data":{"a":"three"}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	s.untilCalled(name+` update part/data.a#0 "one"->"three"`, 1)

	all := s.cluster().Resource(namespaces)
	s.untilObject(func() (*unstructured.Unstructured, error) { return all.Get(t.Context(), name, metav1.GetOptions{}) },
		func(o *unstructured.Unstructured) bool { return handledOnly(o) && len(o.GetFinalizers()) == 1 })
	if err := all.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	s.untilObject(func() (*unstructured.Unstructured, error) { return all.Get(t.Context(), name, metav1.GetOptions{}) },
		func(o *unstructured.Unstructured) bool { return o == nil })
	op.Stop()
	if calls := s.noted(name); len(calls) != 7 {
		t.Errorf("calls %q, want 7", calls)
	}
}

// handledOnly tells whether an object has a last handled state, and no other annotation.
func handledOnly(o *unstructured.Unstructured) bool {
	return o != nil && o.GetAnnotations()[lastHandled] != "" && len(o.GetAnnotations()) == 1
}

// untilObject waits for a state of an object, nil being its absence.
func (s *story) untilObject(get func() (*unstructured.Unstructured, error), ok func(*unstructured.Unstructured) bool) {
	s.Helper()
	deadline := time.Now().Add(harness.Patience)
	for {
		o, err := get()
		switch {
		case apierrors.IsNotFound(err):
			o = nil
		case err != nil:
			s.Fatal(err)
		}
		if ok(o) {
			return
		}
		if time.Now().After(deadline) {
			s.Fatalf("the object is %v; calls %q", o, s.noted(""))
		}
		time.Sleep(20 * time.Millisecond)
	}
}
