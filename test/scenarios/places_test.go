package scenarios

import (
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

var (
	namespaces  = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

// TestNamespaces serves two namespaces of three, and one that is yet to come.
func TestNamespaces(t *testing.T) {
	s := begin(t)
	cp := controlplane.Shared(t)
	second, third := cp.Namespace(t), cp.Namespace(t)
	s.in(second, "late", "spec: {v: 0}")
	s.in(third, "never", "spec: {v: 0}")
	future := s.Namespace() + "-future"
	op := s.RunAs(cp.Config(), []string{s.Namespace(), second, second, future}, of(s.handler(operator.OnCreate, "made", fine)))
	s.untilCalled("late", 1)
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is handled", `handled: {spec: {v: 1}}`)
	s.in(third, "never-too", "spec: {v: 0}")
	s.in(second, "two", "spec: {v: 2}").Until("it is handled", `handled: {spec: {v: 2}}`)
	cp.Apply(t, "", "{apiVersion: v1, kind: Namespace, metadata: {name: "+future+"}}")
	s.in(future, "young", "spec: {v: 3}").Until("it is handled", `handled: {spec: {v: 3}}`)
	op.Stop()
	s.expect("", `late create made#0 ->{"spec":{"v":0}}`, `one create made#0 ->{"spec":{"v":1}}`, `two create made#0 ->{"spec":{"v":2}}`,
		`young create made#0 ->{"spec":{"v":3}}`)
}

// rights lets a user do in one namespace what an operator needs, and nothing anywhere else.
const rights = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: operator}
rules:
- {apiGroups: [test.kopf.dev], resources: [subjects], verbs: [list, watch, patch]}
- {apiGroups: [test.kopf.dev], resources: [subjects/status], verbs: [patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: operator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: operator}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: restricted}]
`

// restricted returns the configuration of the user who has no rights but those.
func restricted(cp *controlplane.ControlPlane) *rest.Config {
	cfg := rest.CopyConfig(cp.Config())
	cfg.Impersonate = rest.ImpersonationConfig{UserName: "restricted", Groups: []string{"system:authenticated"}}
	return cfg
}

// TestRightsInOneNamespace runs an operator that may do nothing but list, watch and patch its resource in its namespace.
func TestRightsInOneNamespace(t *testing.T) {
	s := begin(t)
	cp := controlplane.Shared(t)
	cp.Apply(t, s.Namespace(), rights)
	began := time.Now()
	op := s.RunAs(restricted(cp), []string{s.Namespace()}, of(
		s.handler(operator.OnCreate, "made", failing(1, 100*time.Millisecond)),
		s.handler(operator.OnDelete, "left", fine),
	))
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is handled", `{handled: {spec: {v: 1}}, progress: null, metadata: {finalizers: [`+finalizer+`]}}`)
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("the operator took %v to begin", took)
	}
	one.Delete()
	one.UntilGone()
	op.Stop()
	s.expect("one ", `create made#0 ->{"spec":{"v":1}}`, `create made#1 ->{"spec":{"v":1}}`, `delete left#0 {"spec":{"v":1}}->{"spec":{"v":1}}`)
	for _, level := range []string{"level=WARN", "forbidden"} {
		if lines := op.Lines(level); len(lines) > 0 {
			t.Errorf("the operator is not content with its rights: %v", lines)
		}
	}
}

// TestRightsComeLate has an operator without rights in one of its namespaces, and without those for the status in the other. Once it has
// them, nothing is lost, and nothing has been done twice.
func TestRightsComeLate(t *testing.T) {
	s := begin(t)
	cp := controlplane.Shared(t)
	other := cp.Namespace(t)
	cp.Apply(t, s.Namespace(), strings.ReplaceAll(rights, "subjects/status", "nothing"))
	op := s.RunAs(restricted(cp), []string{s.Namespace(), other}, of(
		s.handler(operator.OnCreate, "made", returning("done")), s.handler(operator.OnUpdate, "changed", fine)))
	one, two := s.subject("one", "spec: {v: 1}"), s.in(other, "two", "spec: {v: 1}")
	op.UntilLines(1, "level=ERROR", "object.name=one", "subjects/status")
	op.UntilLines(1, "level=WARN", "may not list and watch", other)
	one.Patch("spec: {v: 2}")
	cp.Apply(t, s.Namespace(), rights)
	cp.Apply(t, other, rights)
	one.Until("all is written", `{handled: {spec: {v: 2}}, status: {made: done}, progress: null}`)
	two.Until("it is handled", `{handled: {spec: {v: 1}}, status: {made: done}, progress: null}`)
	op.Stop()
	s.expect("one ", `create made#0 ->{"spec":{"v":1}}`, `update changed#0 {"spec":{"v":1}}->{"spec":{"v":2}}`)
	s.expect("two ", `create made#0 ->{"spec":{"v":1}}`)
}

// TestNamespaceDeleted deletes a namespace with objects that wait for their operator.
func TestNamespaceDeleted(t *testing.T) {
	s := begin(t)
	cp := controlplane.Shared(t)
	name := cp.Namespace(t)
	op := s.RunAs(cp.Config(), []string{name, s.Namespace()}, of(
		s.handler(operator.OnCreate, "made", fine), s.handler(operator.OnDelete, "left", failing(2, 200*time.Millisecond))))
	for _, object := range []string{"a", "b", "c"} {
		s.in(name, object, "spec: {v: 1}").Until("it is handled", `handled: {spec: {v: 1}}`)
	}
	if err := s.cluster().Resource(namespaces).Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(harness.Patience)
	for {
		_, err := s.cluster().Resource(namespaces).Get(t.Context(), name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			break
		}
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the namespace is still there (%v)", err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.caughtUp("still-well")
	op.Stop()
	for _, object := range []string{"a", "b", "c"} {
		if calls := s.noted(object + " delete left"); len(calls) != 3 {
			t.Errorf("calls %q", calls)
		}
	}
}

// TestDefinitionDeleted deletes the definition of a resource with objects, and brings it back, without its status sub-resource and with it.
func TestDefinitionDeleted(t *testing.T) {
	s := begin(t)
	resource := harness.Resource{Group: "fleeting.kopf.dev", Version: "v1", Kind: "Fleeting", Plural: "fleetings"}
	define := func(subresources string) {
		t.Helper()
		controlplane.Shared(t).Apply(t, "", `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fleetings.fleeting.kopf.dev}
spec:
  group: fleeting.kopf.dev
  scope: Namespaced
  names: {kind: Fleeting, listKind: FleetingList, plural: fleetings, singular: fleeting}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: `+subresources+`
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`)
	}
	object := func(name string) {
		t.Helper()
		controlplane.Shared(t).Apply(t, s.Namespace(), `{apiVersion: fleeting.kopf.dev/v1, kind: Fleeting, metadata: {name: `+name+`}, spec: {v: 1}}`)
	}
	op := s.Run(ofResource(resource,
		s.handler(operator.OnCreate, "made", returning("done")), s.handler(operator.OnDelete, "left", failing(1, 200*time.Millisecond))))
	client := s.client("fleeting.kopf.dev/v1", "fleetings")
	for round, subresources := range []string{"{status: {}}", "{}", "{status: {}}"} {
		define(subresources)
		name := strings.Repeat("x", round+1)
		object(name)
		deadline := time.Now().Add(harness.Patience)
		for {
			got, err := client.Get(t.Context(), name, metav1.GetOptions{})
			if err == nil && got.GetAnnotations()[lastHandled] != "" {
				if status, _ := got.Object["status"].(map[string]any); status["made"] == "done" {
					break
				}
			}
			if time.Now().After(deadline) {
				t.Fatalf("not handled: %v %v", err, got)
			}
			time.Sleep(50 * time.Millisecond)
		}
		if err := s.cluster().Resource(definitions).Delete(t.Context(), "fleetings.fleeting.kopf.dev", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		s.untilCalled(name+" delete left#1", 1)
		for {
			_, err := s.cluster().Resource(definitions).Get(t.Context(), "fleetings.fleeting.kopf.dev", metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("the definition does not go: %v", err)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	op.Stop()
}
