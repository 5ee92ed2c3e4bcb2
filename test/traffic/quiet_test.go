package traffic

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/exampletest"
	"github.com/kopfgen/kopfgen/test/harness"
)

// definitions are the kinds of the harness.
const definitions = "../harness/crd/*.yaml"

// object returns a manifest.
func object(r harness.Resource, name string) string {
	return "{apiVersion: " + r.APIVersion() + ", kind: " + r.Kind + ", metadata: {name: " + name + "}, spec: {value: 1}}"
}

// settled is how a handled object looks.
const settled = "{handled: {}, progress: null}"

// ready returns when the operator handles what is created from now on: it has handled something.
func ready(stage *exampletest.Stage) {
	stage.Manifest(object(harness.Subject, "ready"))["ready"].Until("the operator is ready", settled)
}

// caughtUp returns when the operator has looked at everything that happened before: streams keep the order, and it has handled something
// that was created last.
func caughtUp(stage *exampletest.Stage, marker string) {
	stage.Manifest(object(harness.Subject, marker))[marker].Until("the operator has caught up", settled)
}

// TestNothingChanged changes of an object what no handler is for, and restarts the operator: both make no request.
func TestNothingChanged(t *testing.T) {
	stage := exampletest.NewFor(t, definitions)
	o := harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
		{On: "create", ID: "made"}, {On: "update", ID: "changed"}, {On: "delete", ID: "gone"}, {On: "field", ID: "part", Field: "spec.value"},
	}}
	proxy, prompter := harness.NewProxy(t, controlplane.Shared(t).Config()), harness.NewPrompter(t, nil)
	config := harness.Config{Run: "first", Kubeconfig: proxy.Kubeconfig(), Namespace: stage.Namespace(), Prompter: prompter}
	process := o.Start(t, harness.Kopfgen, config)
	subject := stage.Manifest(object(harness.Subject, "subject"))["subject"]
	subject.Until("it is handled", settled)
	caughtUp(stage, "one")
	before := proxy.Writes("subject")

	client := resource(t, stage)
	patch := func(manager, body string, subresources ...string) {
		t.Helper()
		_, err := client.Patch(t.Context(), "subject", types.MergePatchType, []byte(body), metav1.PatchOptions{FieldManager: manager}, subresources...)
		if err != nil {
			t.Fatal(err)
		}
	}
	patch("someone", `{"status":{"observed":1}}`, "status")
	patch("someone", `{"metadata":{"finalizers":["kopf.zalando.org/KopfFinalizerMarker","example.com/other"]}}`)
	patch("someone", `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}}}`)
	claimed := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": harness.Subject.APIVersion(), "kind": harness.Subject.Kind,
		"metadata": map[string]any{"name": "subject"}, "spec": map[string]any{"value": 1},
	}}
	if _, err := client.Apply(t.Context(), "subject", claimed, metav1.ApplyOptions{FieldManager: "another"}); err != nil {
		t.Fatal(err)
	}
	subject.Until("it has other fields", "{status: {observed: 1}}")
	caughtUp(stage, "two")
	process.Stop()
	if diff := cmp.Diff(harness.Kinds(before), harness.Kinds(proxy.Writes("subject"))); diff != "" {
		t.Errorf("writes because of changes that are not essential (-before +after):\n%s", diff)
	}

	proxy = harness.NewProxy(t, controlplane.Shared(t).Config())
	config.Run, config.Kubeconfig = "second", proxy.Kubeconfig()
	process = o.Start(t, harness.Kopfgen, config)
	caughtUp(stage, "three")
	process.Stop()
	for _, r := range proxy.Requests() {
		switch {
		case r.Method == http.MethodGet && (isDiscovery(r.Path) || strings.HasSuffix(r.Path, "/subjects") || strings.HasSuffix(r.Path, definition)):
		case r.Method == http.MethodPatch && strings.Contains(r.Path, "/subjects/three"):
		default:
			t.Errorf("after the restart: %s %s", r.Method, r.Path)
		}
	}
	if calls := prompter.Calls("second", "subject"); len(calls) > 0 {
		t.Errorf("after the restart, %q were called", harness.Lines(calls))
	}
}

// definition is the end of the path under which the operator asks how its kind is stored.
const definition = "/customresourcedefinitions/subjects.test.kopf.dev"

// isDiscovery tells paths that list groups, versions or resources.
func isDiscovery(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return parts[0] == "version" || parts[0] == "api" && len(parts) <= 2 || parts[0] == "apis" && len(parts) <= 3
}

// resource returns a client for the subjects on the stage.
func resource(t *testing.T, stage *exampletest.Stage) dynamic.ResourceInterface {
	t.Helper()
	client, err := dynamic.NewForConfig(controlplane.Shared(t).Config())
	if err != nil {
		t.Fatal(err)
	}
	r := harness.Subject
	return client.Resource(schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Plural}).Namespace(stage.Namespace())
}

// TestWritesOfOneCreation counts the requests for ten handlers that succeed at once.
func TestWritesOfOneCreation(t *testing.T) {
	for name, test := range map[string]struct {
		resource harness.Resource
		more     []harness.Handler
		want     []string
	}{
		"object and status":         {harness.Subject, nil, []string{"merge", "merge status"}},
		"finalizer":                 {harness.Subject, []harness.Handler{{On: "delete", ID: "gone"}}, []string{"json", "merge", "merge status"}},
		"no sub-resource of status": {harness.Bare, nil, []string{"merge"}},
	} {
		t.Run(name, func(t *testing.T) {
			stage := exampletest.NewFor(t, definitions)
			o := harness.Operator{Resource: test.resource, Handlers: test.more}
			for _, id := range strings.Split("abcdefghij", "") {
				o = o.With(harness.Handler{On: "create", ID: id})
			}
			prompter := harness.NewPrompter(t, func(c harness.Call) harness.Answer { return harness.Return(c.Handler) })
			proxy := harness.NewProxy(t, controlplane.Shared(t).Config())
			process := o.Start(t, harness.Kopfgen, harness.Config{
				Run: "run", Kubeconfig: proxy.Kubeconfig(), Namespace: stage.Namespace(), Prompter: prompter,
			})
			subject := stage.Manifest(object(test.resource, "subject"))["subject"]
			subject.Until("it is handled", settled)
			subject.Until("its results are there", "{status: {a: a, j: j}}")
			process.Stop()
			if diff := cmp.Diff(test.want, harness.Kinds(proxy.Writes("subject"))); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if calls := prompter.Calls("", "subject"); len(calls) != 10 {
				t.Errorf("%q were called", harness.Lines(calls))
			}
		})
	}
}

// TestPatchFunction makes sure that a JSON patch is sent where a patch function asks for it.
func TestPatchFunction(t *testing.T) {
	stage := exampletest.NewFor(t, definitions)
	proxy := harness.NewProxy(t, controlplane.Shared(t).Config())
	process := harness.StartDefinition(t, "functional", harness.Config{Run: "run", Kubeconfig: proxy.Kubeconfig(), Namespace: stage.Namespace()})
	subject := stage.Manifest(object(harness.Subject, "subject"))["subject"]
	subject.Until("it is handled", "{spec: {list: [ours]}, handled: {}, progress: null}")
	caughtUp(stage, "marker")
	process.Stop()
	// The progress, the function, and then, as what it edited is a change like any other, the last handled state.
	if diff := cmp.Diff([]string{"merge", "json", "merge"}, harness.Kinds(proxy.Writes("subject"))); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}
