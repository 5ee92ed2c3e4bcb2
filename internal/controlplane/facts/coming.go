package facts

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience bounds the wait for what controllers do.
const patience = 60 * time.Second

// coming says how namespaces and definitions come and go, and objects with them.
var coming = []Fact{
	{"an object in a namespace that is not there is refused with 404", func(t *testing.T, s *session) {
		refused := s.in("facts-nowhere").do(http.MethodPost, s.in("facts-nowhere").url(gadgets), plainJSON, gadgetNamed("a"))
		s.require(http.StatusNotFound, refused)
		if text := string(refused.body); !strings.Contains(text, `namespaces \"facts-nowhere\" not found`) {
			t.Errorf("got %s", text)
		}
	}},
	{"a namespace takes its objects with it, and waits for their finalizers", func(t *testing.T, s *session) {
		const name = "facts-leaving"
		root := s.base + "/api/v1/namespaces"
		created := s.require(http.StatusCreated, s.do(http.MethodPost, root, plainJSON, `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "`+name+`"}}`))
		if created.at("status.phase") != "Active" {
			t.Errorf("got %s", created.body)
		}
		inside := s.in(name)
		inside.create(gadgets, "free", "", "")
		held := inside.create(gadgets, "held", `"finalizers": ["`+finalizer+`"]`, "")
		events := inside.watchFrom(gadgets, held.version())
		s.require(http.StatusOK, s.do(http.MethodDelete, root+"/"+name, "", ""))
		seen := map[string]int{}
		for range 2 {
			e := events.any()
			seen[fmt.Sprint(e.kind, " ", e.at("metadata.name"))]++
		}
		if len(seen) != 2 || seen["DELETED free"] != 1 || seen["MODIFIED held"] != 1 {
			t.Errorf("events: got %v", seen)
		}
		terminating := s.require(http.StatusOK, s.do(http.MethodGet, root+"/"+name, "", ""))
		if terminating.at("status.phase") != "Terminating" {
			t.Errorf("got %s", terminating.body)
		}
		refused := inside.do(http.MethodPost, inside.url(gadgets), plainJSON, gadgetNamed("late"))
		if s.require(http.StatusForbidden, refused); !strings.Contains(string(refused.body), "NamespaceTerminating") {
			t.Errorf("got %s", refused.body)
		}
		s.require(http.StatusOK, inside.patch(gadgets, "held", mergePatch, `{"metadata": {"finalizers": null}}`))
		events.next("DELETED")
		s.gone(root + "/" + name)
	}},
	{"a definition that comes is served, and takes its objects with it when it goes", func(t *testing.T, s *session) {
		const root = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
		const definition = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "comets.facts.kopf.dev"},
			"spec": {"group": "facts.kopf.dev", "scope": "Namespaced", "names": {"kind": "Comet", "plural": "comets", "singular": "comet"},
			"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}`
		comets := resource{root: "/apis/facts.kopf.dev/v1", plural: "comets", apiVersion: "facts.kopf.dev/v1", kind: "Comet"}
		s.require(http.StatusNotFound, s.do(http.MethodGet, s.url(comets), "", ""))
		s.require(http.StatusCreated, s.do(http.MethodPost, s.base+root, plainJSON, definition))
		s.until(func() bool { return s.do(http.MethodGet, s.url(comets), "", "").status == http.StatusOK })
		s.until(func() bool {
			return strings.Contains(string(s.do(http.MethodGet, s.base+"/apis/facts.kopf.dev/v1", "", "").body), `"comets"`)
		})
		var created *answer
		s.until(func() bool {
			created = s.do(http.MethodPost, s.url(comets), plainJSON, `{"apiVersion": "facts.kopf.dev/v1", "kind": "Comet", "metadata": {"name": "halley"}}`)
			return created.status == http.StatusCreated
		})
		events := s.watchFrom(comets, created.version())
		s.require(http.StatusOK, s.do(http.MethodDelete, s.base+root+"/comets.facts.kopf.dev", "", ""))
		events.next("DELETED")
		s.gone(s.base + root + "/comets.facts.kopf.dev")
		events.end()
		s.until(func() bool { return s.do(http.MethodGet, s.url(comets), "", "").status == http.StatusNotFound })
	}},
	{"a collection can be deleted by a selector", func(t *testing.T, s *session) {
		s.create(gadgets, "many-a", `"labels": {"fact": "many"}`, "")
		s.create(gadgets, "many-b", `"labels": {"fact": "many"}`, "")
		s.create(gadgets, "many-c", `"labels": {"fact": "few"}`, "")
		s.require(http.StatusOK, s.do(http.MethodDelete, s.url(gadgets)+"?"+url.Values{"labelSelector": {"fact=many"}}.Encode(), "", ""))
		list := s.require(http.StatusOK, s.do(http.MethodGet, s.url(gadgets)+"?"+url.Values{"labelSelector": {"fact in (many,few)"}}.Encode(), "", ""))
		if got := fmt.Sprint(list.names()); got != "[many-c]" {
			t.Errorf("got %s", got)
		}
	}},
	{"an object whose owner is gone goes too", func(t *testing.T, s *session) {
		owner := s.create(gadgets, "owner", "", "")
		s.create(configMaps, "owned", fmt.Sprintf(`"ownerReferences": [{"apiVersion": "facts.kopf.dev/v1", "kind": "Gadget", "name": "owner", "uid": %q}]`, owner.at("metadata.uid")), "")
		s.require(http.StatusOK, s.get(configMaps, "owned"))
		s.delete(gadgets, "owner")
		s.gone(s.url(configMaps, "owned"))
	}},
	{"a finalizer that comes while the object is deleted may be accepted, and the object be gone all the same", func(t *testing.T, s *session) {
		const attempts = 4000
		for i := range attempts {
			name := fmt.Sprintf("race-%d", i)
			s.create(gadgets, name, "", "")
			var finalized, deleted *answer
			var both sync.WaitGroup
			both.Go(func() {
				finalized = s.patch(gadgets, name, mergePatch, `{"metadata": {"finalizers": ["`+finalizer+`"]}}`)
			})
			both.Go(func() { deleted = s.do(http.MethodDelete, s.url(gadgets, name), "", "") })
			both.Wait()
			rest := s.get(gadgets, name)
			switch {
			case rest.status == http.StatusOK:
				s.require(http.StatusOK, s.patch(gadgets, name, mergePatch, `{"metadata": {"finalizers": null}}`))
				s.do(http.MethodDelete, s.url(gadgets, name), "", "")
			case finalized.status == http.StatusOK && deleted.status == http.StatusOK:
				return
			}
		}
		t.Errorf("it did not happen in %d attempts", attempts)
	}},
}

func gadgetNamed(name string) string {
	return `{"apiVersion": "facts.kopf.dev/v1", "kind": "Gadget", "metadata": {"name": "` + name + `"}}`
}

// in is the same conversation about another namespace.
func (s *session) in(namespace string) *session {
	other := *s
	other.namespace = namespace
	return &other
}

// gone waits until there is nothing at an address.
func (s *session) gone(target string) {
	s.t.Helper()
	s.until(func() bool { return s.do(http.MethodGet, target, "", "").status == http.StatusNotFound })
}

// until waits until something is true, which a controller brings about.
func (s *session) until(done func() bool) {
	s.t.Helper()
	for began := time.Now(); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > patience {
			s.t.Fatalf("it did not come within %v", patience)
		}
	}
}
