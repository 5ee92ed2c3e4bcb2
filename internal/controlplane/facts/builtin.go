package facts

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// builtIn says what is particular about the kinds by which operators talk about others, and with each other.
var builtIn = []Fact{
	{"an event of the core group is an event of events.k8s.io by other names", func(t *testing.T, s *session) {
		s.create(events, "named", "", s.about("Gadget", "a")+`, "reason": "Tested", "message": "all well", "type": "Normal", "count": 2,
			"firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-02T00:00:00Z", "reportingComponent": "facts", "source": {"component": "facts"}`)
		got := s.require(http.StatusOK, s.get(newEvents, "named"))
		for path, want := range map[string]string{
			"apiVersion": "events.k8s.io/v1", "regarding.name": "a", "note": "all well", "reason": "Tested", "type": "Normal", "deprecatedCount": "2",
			"deprecatedFirstTimestamp": "2026-01-01T00:00:00Z", "reportingController": "facts", "deprecatedSource.component": "facts",
		} {
			if is := fmt.Sprint(got.at(path)); is != want {
				t.Errorf("%s: got %s, want %s", path, is, want)
			}
		}
	}},
	{"a new event has a time, an action, a reason, and says who reports it", func(t *testing.T, s *session) {
		const whole = `"eventTime": "2026-01-01T00:00:00.000000Z", "action": "Testing", "reason": "Tested", "type": "Normal", "note": "all well",
			"reportingController": "facts", "reportingInstance": "facts-1"`
		regarding := `"regarding": {"kind": "Gadget", "name": "a", "namespace": "` + s.namespace + `"}, `
		s.create(newEvents, "whole", "", regarding+whole)
		post := func(members string) *answer {
			return s.do(http.MethodPost, s.url(newEvents), plainJSON, `{"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "half"}, `+members+`}`)
		}
		s.require(http.StatusUnprocessableEntity, post(regarding+`"reason": "Tested", "type": "Normal"`))
		s.require(http.StatusUnprocessableEntity, post(`"regarding": {"kind": "Gadget", "name": "a"}, `+whole))
		s.require(http.StatusCreated, post(`"regarding": {"kind": "Gadget", "name": "a", "namespace": "elsewhere"}, `+whole))
		old := s.require(http.StatusOK, s.get(events, "whole"))
		if old.at("message") != "all well" || old.at("involvedObject.name") != "a" {
			t.Errorf("got %s", old.body)
		}
	}},
	{"events are selected by the object that they are about", func(t *testing.T, s *session) {
		s.create(events, "about-b", "", s.about("Gadget", "b"))
		s.create(events, "about-c", "", s.about("Gadget", "c"))
		list := s.require(http.StatusOK, s.do(http.MethodGet, s.url(events)+"?"+url.Values{"fieldSelector": {"involvedObject.name=b"}}.Encode(), "", ""))
		if items, _ := list.at("items").([]any); len(items) != 1 {
			t.Errorf("got %s", list.body)
		}
	}},
	{"an event is where its object is", func(t *testing.T, s *session) {
		refused := s.do(http.MethodPost, s.url(events), plainJSON,
			`{"apiVersion": "v1", "kind": "Event", "metadata": {"name": "astray"}, "involvedObject": {"kind": "Gadget", "name": "a", "namespace": "elsewhere"}}`)
		s.require(http.StatusUnprocessableEntity, refused)
	}},
	{"a lease is updated by whoever has seen its newest version, and by nobody else", func(t *testing.T, s *session) {
		lease := s.create(leases, "lease", "", `"spec": {"holderIdentity": "one", "leaseDurationSeconds": 15, "renewTime": "2026-01-01T00:00:00.000000Z"}`)
		put := func(holder, version string) *answer {
			return s.do(http.MethodPut, s.url(leases, "lease"), plainJSON, fmt.Sprintf(
				`{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "lease", "resourceVersion": %q}, "spec": {"holderIdentity": %q}}`, version, holder))
		}
		taken := s.require(http.StatusOK, put("two", lease.version()))
		s.require(http.StatusConflict, put("three", lease.version()))
		s.require(http.StatusUnprocessableEntity, put("three", ""))
		if got := s.get(leases, "lease"); got.at("spec.holderIdentity") != "two" || got.version() != taken.version() || got.at("metadata.generation") != nil {
			t.Errorf("got %s", got.body)
		}
		s.require(http.StatusUnprocessableEntity, s.patch(leases, "lease", mergePatch, `{"spec": {"leaseDurationSeconds": 0}}`))
	}},
	{"an answer may be asked for as metadata alone, also that to a patch", func(t *testing.T, s *session) {
		s.create(gadgets, "partial", "", "")
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, s.url(gadgets, "partial"), strings.NewReader(`{"metadata": {"labels": {"a": "b"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", mergePatch)
		req.Header.Set("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")
		got := s.send(req)
		if got.at("kind") != "PartialObjectMetadata" || got.at("metadata.labels.a") != "b" || got.at("spec") != nil {
			t.Errorf("got %s", got.body)
		}
	}},
	{"labels are selected by equality, by sets, by presence and by absence", func(t *testing.T, s *session) {
		for name, labels := range map[string]string{"sel-a": `"tier": "web"`, "sel-b": `"tier": "db"`, "sel-c": `"other": "x"`} {
			s.create(gadgets, name, `"labels": {"fact": "sel", `+labels+`}`, "")
		}
		for selector, want := range map[string]string{
			"tier=web": `["sel-a"]`, "tier!=web": `["sel-b","sel-c"]`, "tier in (web,db)": `["sel-a","sel-b"]`, "tier notin (web)": `["sel-b","sel-c"]`,
			"tier": `["sel-a","sel-b"]`, "!tier": `["sel-c"]`,
		} {
			list := s.require(http.StatusOK, s.do(http.MethodGet, s.url(gadgets)+"?"+url.Values{"labelSelector": {"fact=sel," + selector}}.Encode(), "", ""))
			if got, _ := json.Marshal(list.names()); string(got) != want {
				t.Errorf("%s: got %s, want %s", selector, got, want)
			}
		}
		s.require(http.StatusBadRequest, s.do(http.MethodGet, s.url(gadgets)+"?"+url.Values{"labelSelector": {"a in b"}}.Encode(), "", ""))
	}},
	{"name and namespace are selectable fields of everything, and inequality is too", func(t *testing.T, s *session) {
		s.create(gadgets, "field-a", "", `"spec": {"tier": "fields"}`)
		s.create(gadgets, "field-b", "", `"spec": {"tier": "fields"}`)
		for selector, want := range map[string]string{
			"metadata.name=field-a": `["field-a"]`, "spec.tier=fields,metadata.name!=field-a": `["field-b"]`,
			"spec.tier=fields,metadata.namespace=" + s.namespace: `["field-a","field-b"]`, "spec.tier=fields,metadata.namespace=other": `null`,
		} {
			list := s.require(http.StatusOK, s.do(http.MethodGet, s.url(gadgets)+"?"+url.Values{"fieldSelector": {selector}}.Encode(), "", ""))
			if got, _ := json.Marshal(list.names()); string(got) != want {
				t.Errorf("%s: got %s, want %s", selector, got, want)
			}
		}
	}},
}

// about returns the member of an event that says which object it is about.
func (s *session) about(kind, name string) string {
	return fmt.Sprintf(`"involvedObject": {"kind": %q, "name": %q, "namespace": %q}`, kind, name, s.namespace)
}
