package patch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// The two resources of the tests: with and without a status sub-resource. Both keep unknown fields in their spec, and spec.size is an
// integer; widgets have a schema for their status. See testdata for their definitions.
var (
	widgets = api.Resource{Group: "patch.kopf.dev", Version: "v1", Plural: "widgets", Kind: "Widget", Namespaced: true, HasStatus: true}
	plains  = api.Resource{Group: "patch.kopf.dev", Version: "v1", Plural: "plains", Kind: "Plain", Namespaced: true}
)

// ours is the finalizer of the operator in these tests.
const ours = "kopf.dev/ours"

// world is one object on an API server, with the operator, who sends plans, and other people, who do as they like.
type world struct {
	t      *testing.T
	target Target
	host   string
	http   *http.Client
	client *api.Client

	// requests are those of the operator, by their kind; bodies what they sent. Before each one, during is called with its number from 1.
	requests []string
	bodies   []map[string]any
	during   func(request int)
}

// newWorld connects to an API server.
func newWorld(t *testing.T, cfg *rest.Config, target Target) *world {
	t.Helper()
	client, err := api.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	people, err := rest.HTTPClientFor(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, target: target, host: cfg.Host, http: people, client: client, during: func(int) {}}
}

// doubleConfig starts a double of the API server with the schema of the tests' resources.
func doubleConfig(t *testing.T) *rest.Config {
	t.Helper()
	double := apitest.NewServer(widgets, plains)
	double.KnownStatus = []string{"phase", "conditions", "create_fn", "count"}
	double.Validate = func(object map[string]any) (field, message string) {
		if size, ok := tree.Get(object, "spec", "size"); ok {
			if _, integer := size.(int64); !integer {
				return "spec.size", "must be of type integer"
			}
		}
		return "", ""
	}
	server := httptest.NewServer(double)
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL}
}

// Patch implements Client for the operator.
func (w *world) Patch(ctx context.Context, path string, kind types.PatchType, body []byte, query url.Values) ([]byte, error) {
	name := map[types.PatchType]string{types.MergePatchType: "merge", types.JSONPatchType: "json"}[kind]
	if path != w.target.Resource.Path(w.target.Namespace, w.target.Name, "") {
		name += " status"
	}
	w.requests = append(w.requests, name)
	doc, err := tree.Decode(body)
	if err != nil {
		w.t.Errorf("request %s: %v", name, err)
	}
	asObject, _ := doc.(map[string]any)
	w.bodies = append(w.bodies, asObject)
	w.during(len(w.requests))
	return w.client.Patch(ctx, path, kind, body, query)
}

// create makes the object of the tests, the second time with another uid, and returns its state.
func (w *world) create(object string) []byte {
	w.t.Helper()
	doc := w.parse(object)
	doc["apiVersion"], doc["kind"] = w.target.Resource.APIVersion(), w.target.Resource.Kind
	tree.Set(doc, w.target.Name, "metadata", "name")
	return w.people(http.MethodPost, w.target.Resource.Path(w.target.Namespace, "", ""), "application/json", doc)
}

// edit makes a merge patch by somebody else.
func (w *world) edit(doc string) []byte {
	w.t.Helper()
	return w.people(http.MethodPatch, w.path(""), string(types.MergePatchType), w.parse(doc))
}

// editStatus makes one of the status.
func (w *world) editStatus(doc string) []byte {
	w.t.Helper()
	return w.people(http.MethodPatch, w.path("status"), string(types.MergePatchType), w.parse(doc))
}

func (w *world) delete() []byte {
	w.t.Helper()
	return w.people(http.MethodDelete, w.path(""), "application/json", nil)
}

// get returns the object as it is; nil if it is not there.
func (w *world) get() map[string]any {
	w.t.Helper()
	answer := w.people(http.MethodGet, w.path(""), "", nil)
	if answer == nil {
		return nil
	}
	return w.parse(string(answer))
}

func (w *world) path(subresource string) string {
	return w.target.Resource.Path(w.target.Namespace, w.target.Name, subresource)
}

func (w *world) people(method, path, contentType string, doc map[string]any) []byte {
	w.t.Helper()
	var body []byte
	if doc != nil {
		var err error
		if body, err = tree.Encode(doc); err != nil {
			w.t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.host+path, bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	response, err := w.http.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if response.StatusCode == http.StatusNotFound && method == http.MethodGet {
		return nil
	}
	if response.StatusCode >= 300 {
		w.t.Fatalf("%s %s: %d %s", method, path, response.StatusCode, answer)
	}
	return answer
}

func (w *world) parse(s string) map[string]any {
	w.t.Helper()
	object, err := tree.DecodeObject([]byte(s))
	if err != nil {
		w.t.Fatal(fmt.Errorf("%s: %w", s, err))
	}
	return object
}
