package facts

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const (
	applyPatch     = "application/apply-patch+yaml"
	strategicPatch = "application/strategic-merge-patch+json"
)

// applying says how apply patches share an object between managers.
var applying = []Fact{
	{"an apply patch creates an object with its defaults, and says who owns what", func(t *testing.T, s *session) {
		created := s.require(http.StatusCreated, s.apply(gadgets, "applied", "one", false, "", `spec: {note: x}`))
		if got, _ := json.Marshal(created.at("spec")); string(got) != `{"note":"x","size":3}` {
			t.Errorf("got %s", created.body)
		}
		owners := s.owners(created)
		if want := "one Apply  f:spec.f:note"; owners != want {
			t.Errorf("owners: got %q, want %q", owners, want)
		}
	}},
	{"an apply patch without a manager is refused with 422, with managedFields with 400, with a uid that nothing has with 409", func(t *testing.T, s *session) {
		s.require(http.StatusUnprocessableEntity, s.patch(gadgets, "refused", applyPatch, `{apiVersion: facts.kopf.dev/v1, kind: Gadget, metadata: {name: refused}}`))
		s.require(http.StatusBadRequest, s.apply(gadgets, "refused", "one", false, `managedFields: []`, ""))
		s.require(http.StatusConflict, s.apply(gadgets, "refused", "one", false, `uid: `+elsewhere, ""))
	}},
	{"applying what somebody else owns is a conflict that names both, unless it is forced or the same", func(t *testing.T, s *session) {
		s.require(http.StatusCreated, s.apply(gadgets, "shared", "one", false, "", `spec: {note: x, tier: web}`))
		conflict := s.require(http.StatusConflict, s.apply(gadgets, "shared", "two", false, "", `spec: {note: other}`))
		if text := string(conflict.body); !strings.Contains(text, `"reason":"FieldManagerConflict"`) || !strings.Contains(text, `conflict with \"one\"`) || !strings.Contains(text, `"field":".spec.note"`) {
			t.Errorf("got %s", text)
		}
		same := s.require(http.StatusOK, s.apply(gadgets, "shared", "two", false, "", `spec: {note: x}`))
		if got, want := s.owners(same), "one Apply  f:spec.f:note,f:spec.f:tier; two Apply  f:spec.f:note"; got != want {
			t.Errorf("owners: got %q, want %q", got, want)
		}
		forced := s.require(http.StatusOK, s.apply(gadgets, "shared", "two", true, "", `spec: {note: other}`))
		if got, want := s.owners(forced), "one Apply  f:spec.f:tier; two Apply  f:spec.f:note"; got != want || forced.at("spec.note") != "other" {
			t.Errorf("owners: got %q, want %q: %s", got, want, forced.body)
		}
	}},
	{"what a manager does not apply any more goes, if nobody else owns it", func(t *testing.T, s *session) {
		s.require(http.StatusCreated, s.apply(gadgets, "less", "one", false, `labels: {a: "1", b: "2"}`, `spec: {note: x}`))
		s.require(http.StatusOK, s.apply(gadgets, "less", "two", false, `labels: {b: "2"}`, ""))
		rest := s.require(http.StatusOK, s.apply(gadgets, "less", "one", false, "", `spec: {size: 3}`))
		if got, _ := json.Marshal(rest.at("metadata.labels")); string(got) != `{"b":"2"}` || rest.at("spec.note") != nil {
			t.Errorf("got %s", rest.body)
		}
	}},
	{"a merge patch takes over what it changes, and applying it back is a conflict", func(t *testing.T, s *session) {
		s.require(http.StatusCreated, s.apply(gadgets, "taken", "one", false, "", `spec: {note: x}`))
		patched := s.require(http.StatusOK, s.patch(gadgets, "taken?fieldManager=two", mergePatch, `{"spec": {"note": "y"}}`))
		if got, want := s.owners(patched), "two Update  f:spec.f:note"; got != want {
			t.Errorf("owners: got %q, want %q", got, want)
		}
		s.require(http.StatusConflict, s.apply(gadgets, "taken", "one", false, "", `spec: {note: x}`))
	}},
	{"applying the same again changes nothing, not even the version", func(t *testing.T, s *session) {
		created := s.require(http.StatusCreated, s.apply(gadgets, "again", "one", false, "", `spec: {note: x}`))
		if same := s.require(http.StatusOK, s.apply(gadgets, "again", "one", false, "", `spec: {note: x}`)); same.version() != created.version() {
			t.Errorf("version: got %s, then %s", created.version(), same.version())
		}
	}},
	{"an apply patch of the status owns the status only", func(t *testing.T, s *session) {
		s.create(gadgets, "status-applied", "", "")
		patched := s.require(http.StatusOK, s.apply(gadgets, "status-applied/status", "one", false, "", `spec: {note: x}, status: {phase: new}`))
		if got := s.owners(patched); !strings.Contains(got, "one Apply status f:status.f:phase") || patched.at("spec.note") != nil || patched.at("status.phase") != "new" {
			t.Errorf("owners %q: %s", got, patched.body)
		}
	}},
	{"finalizers are applied as a set: those of others stay", func(t *testing.T, s *session) {
		s.create(gadgets, "set", `"finalizers": ["facts.kopf.dev/other"]`, "")
		both := s.require(http.StatusOK, s.apply(gadgets, "set", "one", false, `finalizers: [`+finalizer+`]`, ""))
		if got, _ := json.Marshal(both.at("metadata.finalizers")); string(got) != `["facts.kopf.dev/other","`+finalizer+`"]` {
			t.Errorf("got %s", got)
		}
		s.require(http.StatusOK, s.patch(gadgets, "set", mergePatch, `{"metadata": {"finalizers": null}}`))
	}},
	{"lists of built-in kinds are merged by their keys, by apply patches and by strategic merge patches", func(t *testing.T, s *session) {
		const port = `{"name": %q, "port": %d, "protocol": "TCP"}`
		one := s.require(http.StatusCreated, s.apply(services, "ports", "one", false, "", fmt.Sprintf(`spec: {ports: [`+port+`]}`, "a", 80)))
		if one.at("spec.ports") == nil {
			t.Fatalf("got %s", one.body)
		}
		names := func(a *answer) string {
			var names []string
			ports, _ := a.at("spec.ports").([]any)
			for _, p := range ports {
				names = append(names, fmt.Sprint(at(p.(map[string]any), "name")))
			}
			return strings.Join(names, ",")
		}
		if got := names(s.require(http.StatusOK, s.apply(services, "ports", "two", false, "", fmt.Sprintf(`spec: {ports: [`+port+`]}`, "b", 81)))); got != "a,b" {
			t.Errorf("after two apply patches: %s", got)
		}
		patched := s.require(http.StatusOK, s.patch(services, "ports", strategicPatch, fmt.Sprintf(`{"spec": {"ports": [`+port+`]}}`, "c", 82)))
		if got := strings.Split(names(patched), ","); len(got) != 3 {
			t.Errorf("after a strategic merge patch: %s", got)
		}
	}},
	{"a strategic merge patch of a custom resource is refused with 415", func(t *testing.T, s *session) {
		s.create(gadgets, "strategic", "", "")
		s.require(http.StatusUnsupportedMediaType, s.patch(gadgets, "strategic", strategicPatch, `{"spec": {"size": 1}}`))
	}},
}

// apply sends an apply patch in the name of a manager. Metadata and further members are given as for create, but in YAML.
func (s *session) apply(r resource, name, manager string, force bool, metadata, members string) *answer {
	s.t.Helper()
	object, _, _ := strings.Cut(name, "/")
	text := fmt.Sprintf("{apiVersion: %s, kind: %s, metadata: {name: %s, %s}, %s}", r.apiVersion, r.kind, object, metadata, members)
	return s.patch(r, fmt.Sprintf("%s?fieldManager=%s&force=%v", name, manager, force), applyPatch, text)
}

// owners says who owns which fields by managedFields: manager, operation, sub-resource and fields, without those that are owned as a whole.
func (s *session) owners(a *answer) string {
	s.t.Helper()
	var texts []string
	entries, _ := a.at("metadata.managedFields").([]any)
	for _, e := range entries {
		entry := e.(map[string]any)
		if entry["manager"] == http1 {
			continue
		}
		var fields []string
		var walk func(value any, path string)
		walk = func(value any, path string) {
			members, _ := value.(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(members)) {
				if sub, _ := members[name].(map[string]any); len(sub) == 0 {
					fields = append(fields, strings.TrimPrefix(path+"."+name, "."))
				} else {
					walk(sub, path+"."+name)
				}
			}
		}
		walk(entry["fieldsV1"], "")
		sub, _ := entry["subresource"].(string)
		texts = append(texts, fmt.Sprintf("%v %v %s %s", entry["manager"], entry["operation"], sub, strings.Join(fields, ",")))
	}
	slices.Sort(texts)
	return strings.Join(texts, "; ")
}

// http1 is the manager of requests that name none: the beginning of what net/http calls itself.
const http1 = "Go-http-client"
