package traffic

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/exampletest"
	"github.com/kopfgen/kopfgen/test/harness"
)

// parent is the handler with sub-handlers.
const parent = "create_items/spec.items"

// example has handlers of all kinds that change objects.
var example = harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
	{On: "create", ID: "create_fn"},
	{On: "create", ID: "create_perm"},
	{On: "create", ID: "create_items", Field: "spec.items"},
	{On: "update", ID: "update_fn"},
	{On: "field", ID: "field_fn", Field: "spec.field"},
	{On: "delete", ID: "delete_fn"},
	{On: "resume", ID: "resume_fn"},
}}

const exampleObject = `
apiVersion: test.kopf.dev/v1
kind: Subject
metadata:
  name: subject
  labels: {somelabel: somevalue}
  annotations: {someannotation: somevalue}
spec: {duration: 1m, field: value, items: [item1, item2]}
`

// play returns a function that answers the handlers of the example. The attempts of sub-handlers are counted here.
func play() func(harness.Call) harness.Answer {
	items := make(chan int, 1)
	items <- 0
	return func(c harness.Call) harness.Answer {
		if c.Object != "subject" {
			return harness.Answer{}
		}
		switch c.Handler {
		case "create_fn":
			if c.Retry == 0 {
				return harness.Retry(2 * time.Second)
			}
			return harness.Return(map[string]any{"message": "hello world"})
		case "create_perm":
			return harness.GiveUp()
		case parent:
			return harness.Answer{Subs: []string{"item1", "item2"}}
		case parent + "/item1":
			return harness.Return("item1")
		case parent + "/item2":
			attempt := <-items
			items <- attempt + 1
			if attempt == 0 {
				return harness.Retry(time.Second)
			}
			return harness.Return("item2")
		case "delete_fn":
			return harness.Return("bye")
		}
		return harness.Answer{}
	}
}

// effects are what a life of the example leaves of requests, without what differs from run to run, or by design.
type effects struct {
	Finalizers []string
	// Bases are the last handled states, one after the other.
	Bases []any
	// Records are those of the creation, as they were last written.
	Records map[string]any
	Results map[string]any
	// Calls are sorted; those of the parent, which depend on rounds, are left out.
	Calls []string
}

// TestLife has both peers handle the same object from its creation to its deletion.
func TestLife(t *testing.T) {
	kopfs, kopfsKinds := live(t, harness.Kopf)
	ours, kinds := live(t, harness.Kopfgen)
	if diff := cmp.Diff(kopfs, ours); diff != "" {
		t.Errorf("effects (-Kopf +kopfgen):\n%s", diff)
	}
	want := []string{
		"json",                  // finalizer
		"merge", "merge status", // everything that is due at once
		"merge", "merge status", // item2 after a second
		"merge", "merge status", // create_fn after two
		"merge",        // the update
		"merge",        // the annotation
		"merge status", // what the deletion returned
		"json",         // finalizer
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	t.Logf("Kopf made %d requests, this runtime %d", len(kopfsKinds), len(kinds))
}

func live(t *testing.T, peer harness.Peer) (effects, []string) {
	stage := exampletest.NewFor(t, "../harness/crd/*.yaml")
	proxy := harness.NewProxy(t, controlplane.Shared(t).Config())
	prompter := harness.NewPrompter(t, play())
	process := example.Start(t, peer, harness.Config{
		Run: string(peer), Kubeconfig: proxy.Kubeconfig(), Namespace: stage.Namespace(), Prompter: prompter,
	})
	ready(stage)
	object := stage.Manifest(exampleObject)["subject"]
	object.Until("it is created", "{handled: {spec: {field: value}}, progress: null}")
	object.Until("its result is there", "{status: {create_fn: {message: hello world}}}")
	object.Patch("{metadata: {labels: {l2: v2}}, spec: {field: changed}}")
	object.Until("it is updated", "{handled: {spec: {field: changed}}, progress: null}")
	object.Patch("{metadata: {annotations: {foo: bar}}}")
	object.Until("it is annotated", "{handled: {metadata: {annotations: {foo: bar}}}, progress: null}")
	object.Delete()
	object.UntilGone()
	process.Stop()

	writes := proxy.Writes("subject")
	got := summarize(t, writes)
	calls := slices.DeleteFunc(prompter.Calls("", "subject"), func(c harness.Call) bool { return c.Handler == parent })
	got.Calls = harness.Lines(calls)
	slices.Sort(got.Calls)
	for _, w := range writes {
		if w.Status != 200 {
			t.Errorf("%s: %s was answered %d: %s", peer, w.Body, w.Status, w.Answer)
		}
	}
	return got, harness.Kinds(writes)
}

func summarize(t *testing.T, writes []harness.Request) effects {
	t.Helper()
	e := effects{Records: map[string]any{}, Results: map[string]any{}}
	for _, w := range writes {
		if w.Kind() == "json" {
			e.Finalizers = append(e.Finalizers, finalizersAdded(t, w.Body)...)
			continue
		}
		patch := w.Patch(t)
		if status, ok := patch["status"].(map[string]any); ok {
			maps.Copy(e.Results, status)
		}
		metadata, _ := patch["metadata"].(map[string]any)
		annotations, _ := metadata["annotations"].(map[string]any)
		for name, value := range annotations {
			text, written := value.(string)
			switch short := strings.TrimPrefix(name, "kopf.zalando.org/"); {
			case short == "touch-dummy":
			case short == "last-handled-configuration":
				e.Bases = append(e.Bases, base(t, text))
			case written && len(e.Bases) == 0:
				e.Records[short] = record(t, short, text)
			}
		}
	}
	return e
}

// base reads a last handled state, which is compact JSON in one line.
func base(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("the last handled state %q: %v", text, err)
	}
	if !strings.HasSuffix(text, "}\n") || strings.Contains(text, ": ") || strings.Contains(text, ", ") {
		t.Errorf("the last handled state %q is not in Kopf's form", text)
	}
	return value
}

// record reads a progress record and takes the times out, and what is ours alone. Rounds of sub-handlers count for Kopf as attempts of
// their parent, for us they do not.
func record(t *testing.T, name, text string) any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("the record %q: %v", text, err)
	}
	for _, key := range []string{"started", "stopped", "delayed"} {
		value, ok := r[key].(string)
		if !ok {
			continue
		}
		if _, err := time.Parse("2006-01-02T15:04:05.000000-07:00", value); err != nil || !strings.HasSuffix(value, "+00:00") {
			t.Errorf("%s of %q is not in Kopf's form: %v", key, text, err)
		}
		r[key] = "a time"
	}
	delete(r, "seen")
	delete(r, "whole")
	if name == "create_items.spec.items" {
		delete(r, "retries")
		delete(r, "message")
	}
	return r
}

// finalizersAdded reads from a JSON patch what it adds to the finalizers.
func finalizersAdded(t *testing.T, body string) []string {
	t.Helper()
	var operations []struct {
		Op, Path string
		Value    json.RawMessage
	}
	if err := json.Unmarshal([]byte(body), &operations); err != nil {
		t.Fatalf("the patch %s: %v", body, err)
	}
	var added []string
	for _, o := range operations {
		if o.Op != "add" || !strings.HasPrefix(o.Path, "/metadata/finalizers") {
			continue
		}
		var one string
		var list []string
		if json.Unmarshal(o.Value, &one) == nil {
			added = append(added, one)
		} else if err := json.Unmarshal(o.Value, &list); err != nil {
			t.Fatalf("the patch %s: %v", body, err)
		}
		added = append(added, list...)
	}
	return added
}
