package facts

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const finalizer = "facts.kopf.dev/ours"

// future is a version that the server will not reach.
const future = "900000000000"

// watching says what events look like.
var watching = []Fact{
	{"an object that leaves a label selection is DELETED with its previous content and the new version", func(t *testing.T, s *session) {
		leave(t, s, "labelSelector", "fact=leave-labels,tier=web",
			s.create(gadgets, "leave-labels", `"labels": {"fact": "leave-labels", "tier": "web"}`, ""),
			"metadata.labels.tier")
	}},
	{"an object that leaves a field selection is DELETED with its previous content and the new version", func(t *testing.T, s *session) {
		leave(t, s, "fieldSelector", "spec.tier=web,metadata.name=leave-fields",
			s.create(gadgets, "leave-fields", "", `"spec": {"tier": "web"}`),
			"spec.tier")
	}},
	{"the DELETED of a deletion still shows the last finalizer and the time of deletion", func(t *testing.T, s *session) {
		created := s.create(gadgets, "last-finalizer", `"labels": {"fact": "last-finalizer"}, "finalizers": ["`+finalizer+`"]`, "")
		events := s.watchFrom(gadgets, created.version(), "labelSelector", "fact=last-finalizer")
		s.delete(gadgets, "last-finalizer")
		events.next("MODIFIED")
		s.require(http.StatusOK, s.patch(gadgets, "last-finalizer", mergePatch, `{"metadata": {"finalizers": null}}`))
		deleted := events.next("DELETED")
		if got, _ := json.Marshal(deleted.at("metadata.finalizers")); string(got) != `["`+finalizer+`"]` {
			t.Errorf("finalizers of the DELETED: got %s", got)
		}
		if deleted.at("metadata.deletionTimestamp") == nil {
			t.Error("the DELETED has no time of deletion")
		}
	}},
	{"the DELETED of an object without finalizers has no time of deletion", func(t *testing.T, s *session) {
		created := s.create(gadgets, "no-finalizer", `"labels": {"fact": "no-finalizer"}`, "")
		events := s.watchFrom(gadgets, created.version(), "labelSelector", "fact=no-finalizer")
		s.delete(gadgets, "no-finalizer")
		deleted := events.next("DELETED")
		if got := deleted.at("metadata.deletionTimestamp"); got != nil {
			t.Errorf("time of deletion: got %v", got)
		}
		if deleted.version() == created.version() {
			t.Errorf("the DELETED has the version %s of the creation", created.version())
		}
	}},
	{"a streaming list from a version of the future is an ERROR event of code 504 in a stream of status 200", func(t *testing.T, s *session) {
		parameters := streamingList("fact=future")
		parameters.Set("resourceVersion", future)
		refused := s.watch(gadgets, plainJSON, parameters).next("ERROR")
		if got := refused.at("code"); got != json.Number("504") {
			t.Errorf("code: got %v, want 504", got)
		}
		if got, _ := refused.at("message").(string); !strings.Contains(got, "Too large resource version") {
			t.Errorf("message: got %q", got)
		}
	}},
	{"a plain list from a version of the future is refused with 504", func(t *testing.T, s *session) {
		refused := s.require(http.StatusGatewayTimeout, s.do(http.MethodGet, s.url(gadgets)+"?resourceVersion="+future, "", ""))
		if got, _ := refused.at("message").(string); !strings.Contains(got, "Too large resource version") {
			t.Errorf("message: got %q", got)
		}
	}},
	{"a plain watch from a version of the future is silent: it sees nothing of what happens until then", func(t *testing.T, s *session) {
		events := s.watch(gadgets, plainJSON, url.Values{"resourceVersion": {future}, "timeoutSeconds": {"1"}, "labelSelector": {"fact=future"}})
		s.create(gadgets, "future", `"labels": {"fact": "future"}`, "")
		events.end()
	}},
	{"a streaming list is ADDED events, and then a BOOKMARK that says so", func(t *testing.T, s *session) {
		s.create(gadgets, "listed", `"labels": {"fact": "listed"}`, "")
		events := s.watch(gadgets, plainJSON, streamingList("fact=listed"))
		if got := events.next("ADDED").at("metadata.name"); got != "listed" {
			t.Errorf("name of the ADDED: got %v", got)
		}
		end := events.next("BOOKMARK")
		annotations, _ := end.at("metadata.annotations").(map[string]any)
		if got := annotations["k8s.io/initial-events-end"]; got != "true" {
			t.Errorf("annotations of the BOOKMARK: got %v", annotations)
		}
	}},
	{"a metadata-only stream is JSON, and has managedFields", func(t *testing.T, s *session) {
		s.create(gadgets, "metadata-only", `"labels": {"fact": "metadata-only"}`, `"spec": {"size": 1}`)
		events := s.watch(gadgets, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", streamingList("fact=metadata-only"))
		added := events.next("ADDED")
		if got := added.at("kind"); got != "PartialObjectMetadata" {
			t.Errorf("kind: got %v", got)
		}
		if added.at("spec") != nil || added.at("metadata.managedFields") == nil {
			t.Errorf("want managedFields and no spec, got %s", added.body)
		}
		events.next("BOOKMARK")
	}},
}

// leave takes an object out of a selection by changing one field from "web" to "db", and back.
func leave(t *testing.T, s *session, selector, selection string, created *answer, field string) {
	t.Helper()
	name := created.at("metadata.name").(string)
	check := func(events *stream, left, back *answer) {
		t.Helper()
		gone := events.next("DELETED")
		if got := gone.at(field); got != "web" {
			t.Errorf("%s of the DELETED: got %v, want the previous content", field, got)
		}
		if got := gone.at("metadata.deletionTimestamp"); got != nil {
			t.Errorf("time of deletion: got %v", got)
		}
		if gone.version() != left.version() {
			t.Errorf("version of the DELETED: got %s, want the new one, %s", gone.version(), left.version())
		}
		if added := events.next("ADDED"); added.version() != back.version() {
			t.Errorf("version of the ADDED: got %s, want %s", added.version(), back.version())
		}
	}
	events := s.watchFrom(gadgets, created.version(), selector, selection)
	left := s.require(http.StatusOK, s.patch(gadgets, name, mergePatch, nested(field, "db")))
	back := s.require(http.StatusOK, s.patch(gadgets, name, mergePatch, nested(field, "web")))
	check(events, left, back)
	// A watch that comes later and resumes from the older version sees the same.
	check(s.watchFrom(gadgets, created.version(), selector, selection), left, back)
}

// nested returns a JSON object with one string at a path of member names.
func nested(path, value string) string {
	names := strings.Split(path, ".")
	return `{"` + strings.Join(names, `": {"`) + `": "` + value + `"` + strings.Repeat("}", len(names))
}

// streamingList returns the parameters of a watch that begins with what is there.
func streamingList(labels string) url.Values {
	return url.Values{
		"labelSelector":        {labels},
		"sendInitialEvents":    {"true"},
		"resourceVersionMatch": {"NotOlderThan"},
		"allowWatchBookmarks":  {"true"},
	}
}
