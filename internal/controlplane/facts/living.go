package facts

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// living says how objects begin, go on and end, apart from patches.
var living = []Fact{
	{"the generation counts changes of the spec and the request for deletion, and nothing else", func(t *testing.T, s *session) {
		created := s.create(gadgets, "generation", `"finalizers": ["`+finalizer+`"]`, `"status": {"phase": "new"}`)
		if got := created.at("status"); got != nil {
			t.Errorf("status of the new object: got %v", got)
		}
		for _, step := range []struct {
			want string
			do   func() *answer
		}{
			{"1", func() *answer { return created }},
			{"1", func() *answer {
				return s.patch(gadgets, "generation", mergePatch, `{"metadata": {"labels": {"a": "b"}}}`)
			}},
			{"1", func() *answer {
				return s.patch(gadgets, "generation/status", mergePatch, `{"status": {"phase": "old"}}`)
			}},
			{"2", func() *answer { return s.patch(gadgets, "generation", mergePatch, `{"spec": {"size": 8}}`) }},
			{"3", func() *answer { return s.delete(gadgets, "generation") }},
			{"3", func() *answer { return s.delete(gadgets, "generation") }},
		} {
			if a := step.do(); fmt.Sprint(a.at("metadata.generation")) != step.want {
				t.Errorf("generation: got %v, want %s: %s", a.at("metadata.generation"), step.want, a.body)
			}
		}
		s.patch(gadgets, "generation", mergePatch, `{"metadata": {"finalizers": null}}`)
	}},
	{"what the schema does not allow is refused with 422, which names the field", func(t *testing.T, s *session) {
		s.create(gadgets, "typed", "", "")
		refused := s.require(http.StatusUnprocessableEntity, s.patch(gadgets, "typed", mergePatch, `{"spec": {"size": "large"}}`))
		if text := string(refused.body); !strings.Contains(text, `"field":"spec.size"`) {
			t.Errorf("got %s", text)
		}
	}},
	{"an object that is being deleted takes no new finalizer", func(t *testing.T, s *session) {
		s.create(gadgets, "going", `"finalizers": ["`+finalizer+`"]`, "")
		s.delete(gadgets, "going")
		s.require(http.StatusUnprocessableEntity, s.patch(gadgets, "going", mergePatch, `{"metadata": {"finalizers": ["`+finalizer+`", "facts.kopf.dev/other"]}}`))
		s.require(http.StatusOK, s.patch(gadgets, "going", mergePatch, `{"metadata": {"finalizers": []}}`))
		s.require(http.StatusNotFound, s.get(gadgets, "going"))
	}},
	{"a deletion with a foreign uid or an old version is refused with 409", func(t *testing.T, s *session) {
		created := s.create(gadgets, "precondition", "", "")
		s.require(http.StatusOK, s.patch(gadgets, "precondition", mergePatch, `{"spec": {"size": 8}}`))
		for _, precondition := range []string{`"uid": "` + elsewhere + `"`, fmt.Sprintf(`"resourceVersion": %q`, created.version())} {
			body := `{"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {` + precondition + `}}`
			s.require(http.StatusConflict, s.do(http.MethodDelete, s.url(gadgets, "precondition"), plainJSON, body))
		}
		body := fmt.Sprintf(`{"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": %q}}`, created.at("metadata.uid"))
		s.require(http.StatusOK, s.do(http.MethodDelete, s.url(gadgets, "precondition"), plainJSON, body))
	}},
	{"an update needs the version: without it 422, with an old one 409", func(t *testing.T, s *session) {
		created := s.create(gadgets, "updated", "", "")
		put := func(version string) *answer {
			return s.do(http.MethodPut, s.url(gadgets, "updated"), plainJSON,
				`{"apiVersion": "facts.kopf.dev/v1", "kind": "Gadget", "metadata": {"name": "updated"`+version+`}, "spec": {"note": "x"}}`)
		}
		s.require(http.StatusUnprocessableEntity, put(""))
		version := fmt.Sprintf(`, "resourceVersion": %q`, created.version())
		updated := s.require(http.StatusOK, put(version))
		if updated.at("spec.note") != "x" || updated.at("metadata.uid") != created.at("metadata.uid") || fmt.Sprint(updated.at("spec.size")) != "3" {
			t.Errorf("got %s", updated.body)
		}
		s.require(http.StatusConflict, put(version))
	}},
	{"creating what is there is refused with 409, and what has no name with 422", func(t *testing.T, s *session) {
		s.create(gadgets, "twice", "", "")
		s.require(http.StatusConflict, s.do(http.MethodPost, s.url(gadgets), plainJSON, `{"apiVersion": "facts.kopf.dev/v1", "kind": "Gadget", "metadata": {"name": "twice"}}`))
		s.require(http.StatusUnprocessableEntity, s.do(http.MethodPost, s.url(gadgets), plainJSON, `{"apiVersion": "facts.kopf.dev/v1", "kind": "Gadget", "metadata": {}}`))
		named := s.require(http.StatusCreated, s.do(http.MethodPost, s.url(gadgets), plainJSON, `{"apiVersion": "facts.kopf.dev/v1", "kind": "Gadget", "metadata": {"generateName": "some-"}}`))
		if name, _ := named.at("metadata.name").(string); len(name) != len("some-")+5 || !strings.HasPrefix(name, "some-") {
			t.Errorf("name: got %q", name)
		}
	}},
	{"the pages of a list are of one version, and its items say what they are", func(t *testing.T, s *session) {
		for _, name := range []string{"page-a", "page-c"} {
			s.create(gadgets, name, `"labels": {"fact": "pages"}`, "")
		}
		page := func(token string) *answer {
			q := url.Values{"labelSelector": {"fact=pages"}, "limit": {"1"}, "continue": {token}}
			return s.require(http.StatusOK, s.do(http.MethodGet, s.url(gadgets)+"?"+q.Encode(), "", ""))
		}
		first := page("")
		s.create(gadgets, "page-b", `"labels": {"fact": "pages"}`, "")
		// With a selector there may be a token although nothing follows.
		var names []any
		for a := first; ; {
			if a.version() != first.version() {
				t.Errorf("version: got %s, want %s", a.version(), first.version())
			}
			items, _ := a.at("items").([]any)
			if len(items) > 1 {
				t.Errorf("page: got %s", a.body)
			}
			for _, item := range items {
				names = append(names, at(item.(map[string]any), "metadata.name"), at(item.(map[string]any), "kind"))
			}
			token, _ := a.at("metadata.continue").(string)
			if token == "" {
				break
			}
			a = page(token)
		}
		if got := fmt.Sprint(names...); got != fmt.Sprint("page-a", "Gadget", "page-c", "Gadget") {
			t.Errorf("items: got %s", got)
		}
	}},
	{"a field that is not selectable is refused with 400", func(t *testing.T, s *session) {
		s.create(gadgets, "selected", "", `"spec": {"tier": "cellar"}`)
		list := func(selector string) *answer {
			return s.do(http.MethodGet, s.url(gadgets)+"?"+url.Values{"fieldSelector": {selector}}.Encode(), "", "")
		}
		s.require(http.StatusBadRequest, list("spec.note=x"))
		found := s.require(http.StatusOK, list("spec.tier=cellar"))
		if items, _ := found.at("items").([]any); len(items) != 1 {
			t.Errorf("got %s", found.body)
		}
	}},
	{"a watch without a version begins with what is there, and ends when its time is over", func(t *testing.T, s *session) {
		s.create(gadgets, "any-version", `"labels": {"fact": "any-version"}`, "")
		for _, version := range []string{"", "0"} {
			q := url.Values{"labelSelector": {"fact=any-version"}, "timeoutSeconds": {"1"}}
			if version != "" {
				q.Set("resourceVersion", version)
			}
			events := s.watch(gadgets, plainJSON, q)
			if got := events.next("ADDED").at("metadata.name"); got != "any-version" {
				t.Errorf("got %v", got)
			}
			events.end()
		}
	}},
}
