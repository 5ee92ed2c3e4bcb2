// Package objects shows the runtime objects as people have them: strange, big, broken, and shared with others. Each must be handled, or
// refused with an error that names it, and none may disturb the others.
package objects

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/exampletest"
	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }

// The annotations and the finalizer that are written.
const (
	prefix      = "kopf.zalando.org/"
	lastHandled = prefix + "last-handled-configuration"
	finalizer   = prefix + "KopfFinalizerMarker"
)

// world is a namespace with an operator at work.
type world struct {
	t        *testing.T
	client   *http.Client
	url      string
	resource harness.Resource
	*exampletest.Run

	mu    sync.Mutex
	calls []string
}

// newWorld starts an operator with the handlers, to which it hands the world.
func newWorld(t *testing.T, r harness.Resource, handlers func(*world) []operator.Handler) *world {
	t.Helper()
	stage := exampletest.NewFor(t, "../harness/crd/*.yaml")
	cfg := controlplane.Shared(t).Config()
	client, err := rest.HTTPClientFor(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, client: client, resource: r,
		url: strings.TrimSuffix(cfg.Host, "/") + "/apis/" + r.APIVersion() + "/namespaces/" + stage.Namespace() + "/" + r.Plural,
	}
	list := handlers(w)
	watch := operator.Watch{Finalizer: slices.ContainsFunc(list, func(h operator.Handler) bool { return h.On.Has(operator.OnDelete) })}
	w.Run = stage.Run(operator.Definition{Name: "objects", Resources: []operator.Resource{{
		Group: r.Group, Version: r.Version, Kind: r.Kind, Plural: r.Plural, Namespaced: true, Watch: watch, Handlers: list,
		ListMapKeys: map[string][]string{"spec.items": {"name"}},
	}}})
	return w
}

// note remembers a call of a handler.
func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, fmt.Sprintf(format, args...))
}

// noted returns the calls that begin with the text.
func (w *world) noted(begin string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	found := []string{}
	for _, c := range w.calls {
		if strings.HasPrefix(c, begin) {
			found = append(found, c)
		}
	}
	return found
}

// request makes a request and returns the status and the answer, decoded with all digits.
func (w *world) request(method, path, contentType, body string) (int, map[string]any) {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	request.Header.Set("Content-Type", contentType)
	response, err := w.client.Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	return response.StatusCode, answer
}

// create creates an object from JSON text: metadata without a name, and the rest.
func (w *world) create(name, metadata, rest string) {
	w.t.Helper()
	if metadata != "" {
		metadata = ", " + metadata
	}
	body := fmt.Sprintf(`{"apiVersion": %q, "kind": %q, "metadata": {"name": %q%s}, %s}`, w.resource.APIVersion(), w.resource.Kind, name, metadata, rest)
	if status, answer := w.request(http.MethodPost, "", "application/json", body); status != http.StatusCreated {
		w.t.Fatalf("creating %s: %d %v", name, status, answer["message"])
	}
}

// patch changes an object by a merge patch.
func (w *world) patch(name, body string) {
	w.t.Helper()
	if status, answer := w.request(http.MethodPatch, "/"+name, "application/merge-patch+json", body); status != http.StatusOK {
		w.t.Fatalf("patching %s: %d %v", name, status, answer["message"])
	}
}

// get returns an object, or nil.
func (w *world) get(name string) map[string]any {
	w.t.Helper()
	status, object := w.request(http.MethodGet, "/"+name, "", "")
	if status == http.StatusNotFound {
		return nil
	}
	return object
}

// until waits for a state of an object, nil being its absence, and returns it.
func (w *world) until(name, what string, ok func(map[string]any) bool) map[string]any {
	w.t.Helper()
	deadline := time.Now().Add(harness.Patience)
	for {
		object := w.get(name)
		if ok(object) {
			return object
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%s: waiting until %s: %.3000v", name, what, object)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// untilHandled waits until the last handled state of an object is the present one and no progress is left.
func (w *world) untilHandled(name string) map[string]any {
	w.t.Helper()
	return w.until(name, "it is handled", func(object map[string]any) bool {
		return object != nil && base(w.t, object)["spec"] != nil && same(base(w.t, object)["spec"], object["spec"]) && len(progress(object)) == 0
	})
}

// untilAnother creates another object and waits until it is handled: the operator is well, and has seen what happened before.
func (w *world) untilAnother(name string) {
	w.t.Helper()
	w.create(name, "", `"spec": {}`)
	w.untilHandled(name)
}

func annotations(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	found, _ := metadata["annotations"].(map[string]any)
	return found
}

// base returns the last handled state of an object.
func base(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	text, ok := annotations(object)[lastHandled].(string)
	if !ok {
		return nil
	}
	return decode(t, text)
}

// progress returns the names of the progress records of an object.
func progress(object map[string]any) []string {
	var names []string
	for name := range annotations(object) {
		if strings.HasPrefix(name, prefix) && name != lastHandled {
			names = append(names, name)
		}
	}
	return names
}

func finalizers(object map[string]any) []any {
	metadata, _ := object["metadata"].(map[string]any)
	list, _ := metadata["finalizers"].([]any)
	return list
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value map[string]any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("decoding %.200q: %v", text, err)
	}
	return value
}

// same compares JSON values by their text, digit for digit.
func same(a, b any) bool {
	one, errA := json.Marshal(a)
	two, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(one, two)
}

// plain makes a handler that notes its calls and does nothing else.
func (w *world) plain(id string, on operator.Kind) operator.Handler {
	return operator.Handler{ID: id, On: on, Run: operator.BindChange(func(_ context.Context, c *operator.Call[operator.None], _, _ kopf.Raw) (any, error) {
		w.note("%s %s %v", c.Name(), id, c.Diff())
		return nil, nil
	})}
}

// Subject is the type that some handlers decode the objects into. The objects have more fields than that.
type Subject struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SubjectSpec   `json:"spec"`
	Status SubjectStatus `json:"status,omitempty"`
}

// SubjectSpec is what the handlers know of a spec.
type SubjectSpec struct {
	Size  int32   `json:"size,omitempty"`
	Big   int64   `json:"big,omitempty"`
	Ratio float64 `json:"ratio,omitempty"`
	Any   any     `json:"any,omitempty"`
	Items []Item  `json:"items,omitempty"`
}

// Item is an element of a list.
type Item struct {
	Name string `json:"name"`
	Note string `json:"note,omitempty"`
}

// SubjectStatus is what the handlers know of a status.
type SubjectStatus struct {
	Phase string `json:"phase,omitempty"`
}
