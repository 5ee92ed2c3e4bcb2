package facts

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Content types of patches.
const (
	mergePatch = "application/merge-patch+json"
	jsonPatch  = "application/json-patch+json"
	plainJSON  = "application/json"
)

// session is a conversation of one check with the server. Its methods fail the test when there is no conversation at all; what
// the server answers is for the check to judge.
type session struct {
	t         *testing.T
	http      *http.Client
	base      string
	namespace string
}

// resource is a collection of objects that the checks use.
type resource struct {
	root, plural, apiVersion, kind string
}

var (
	gadgets    = resource{root: "/apis/facts.kopf.dev/v1", plural: "gadgets", apiVersion: "facts.kopf.dev/v1", kind: "Gadget"}
	gadgetsV2  = resource{root: "/apis/facts.kopf.dev/v2", plural: "gadgets", apiVersion: "facts.kopf.dev/v2", kind: "Gadget"}
	blobs      = resource{root: "/apis/facts.kopf.dev/v1", plural: "blobs", apiVersion: "facts.kopf.dev/v1", kind: "Blob"}
	configMaps = resource{root: "/api/v1", plural: "configmaps", apiVersion: "v1", kind: "ConfigMap"}
	services   = resource{root: "/api/v1", plural: "services", apiVersion: "v1", kind: "Service"}
	events     = resource{root: "/api/v1", plural: "events", apiVersion: "v1", kind: "Event"}
	newEvents  = resource{root: "/apis/events.k8s.io/v1", plural: "events", apiVersion: "events.k8s.io/v1", kind: "Event"}
	leases     = resource{root: "/apis/coordination.k8s.io/v1", plural: "leases", apiVersion: "coordination.k8s.io/v1", kind: "Lease"}
)

// answer is what the server says to a request.
type answer struct {
	status int
	header http.Header
	// body is the text as it came, less the line feed at its end.
	body []byte
	// object is the body, decoded with numbers as json.Number.
	object map[string]any
}

// names returns the names of the items of a list.
func (a *answer) names() []string {
	var names []string
	items, _ := a.at("items").([]any)
	for _, item := range items {
		names = append(names, fmt.Sprint(at(item.(map[string]any), "metadata.name")))
	}
	return names
}

// at returns the part of the object at a path such as "metadata.resourceVersion", or nil.
func (a *answer) at(path string) any { return at(a.object, path) }

// version returns the resource version.
func (a *answer) version() string { return fmt.Sprint(a.at("metadata.resourceVersion")) }

// at returns the part of an object at a path of member names, or nil where there is none.
func at(object map[string]any, path string) any {
	var value any = object
	for name := range strings.SplitSeq(path, ".") {
		members, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = members[name]
	}
	return value
}

// url returns where a collection, an object, or a sub-resource is.
func (s *session) url(r resource, path ...string) string {
	return s.base + strings.Join(append([]string{r.root, "namespaces", s.namespace, r.plural}, path...), "/")
}

// do sends a request and returns the answer.
func (s *session) do(method, target, contentType, body string) *answer {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Accept", plainJSON)
	if body != "" {
		req.Header.Set("Content-Type", contentType)
	}
	return s.send(req)
}

// send sends a request and returns the answer.
func (s *session) send(req *http.Request) *answer {
	s.t.Helper()
	resp, err := s.http.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatalf("%s %s: %v", req.Method, req.URL, err)
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	a := &answer{status: resp.StatusCode, header: resp.Header, body: text}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), plainJSON) {
		a.object = s.decode(text)
	}
	return a
}

// create creates an object with a name and further members, as in `"spec": {"size": 1}`, and requires that this succeeds.
func (s *session) create(r resource, name, metadata, members string) *answer {
	s.t.Helper()
	if metadata != "" {
		metadata = ", " + metadata
	}
	if members != "" {
		members = ", " + members
	}
	body := fmt.Sprintf(`{"apiVersion": %q, "kind": %q, "metadata": {"name": %q%s}%s}`, r.apiVersion, r.kind, name, metadata, members)
	return s.require(http.StatusCreated, s.do(http.MethodPost, s.url(r), plainJSON, body))
}

func (s *session) get(r resource, name string) *answer {
	s.t.Helper()
	return s.do(http.MethodGet, s.url(r, name), "", "")
}

// patch sends a patch to an object, or to its sub-resource as in "name/status".
func (s *session) patch(r resource, name, contentType, body string) *answer {
	s.t.Helper()
	return s.do(http.MethodPatch, s.url(r, name), contentType, body)
}

// delete asks for the deletion of an object and requires that this succeeds.
func (s *session) delete(r resource, name string) *answer {
	s.t.Helper()
	return s.require(http.StatusOK, s.do(http.MethodDelete, s.url(r, name), "", ""))
}

// require fails the test unless the answer has this status.
func (s *session) require(status int, a *answer) *answer {
	s.t.Helper()
	if a.status != status {
		s.t.Fatalf("got status %d, want %d: %s", a.status, status, a.body)
	}
	return a
}

func (s *session) decode(text []byte) map[string]any {
	s.t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		s.t.Fatalf("decode %.200q: %v", text, err)
	}
	return object
}

// watch opens a stream of the events of a collection, with these parameters; it ends with the test. The answer has to
// be 200.
func (s *session) watch(r resource, accept string, parameters url.Values) *stream {
	s.t.Helper()
	parameters.Set("watch", "1")
	ctx, cancel := context.WithCancel(s.t.Context())
	s.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url(r)+"?"+parameters.Encode(), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	resp, err := s.http.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(resp.Body)
		s.t.Fatalf("watch: got status %d: %s", resp.StatusCode, text)
	}
	return newStream(s, resp.Body)
}

// watchFrom opens a stream of everything that happens to a collection after a version, narrowed by a selector such as
// "labelSelector", "tier=web", or by none.
func (s *session) watchFrom(r resource, version string, selector ...string) *stream {
	s.t.Helper()
	parameters := url.Values{"resourceVersion": {version}}
	if len(selector) == 2 {
		parameters.Set(selector[0], selector[1])
	}
	return s.watch(r, plainJSON, parameters)
}
