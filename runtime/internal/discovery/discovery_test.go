package discovery_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/discovery"
)

// server answers with JSON by path; everything else is not there, and what is "forbidden" is that.
type server map[string]string

func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	text, ok := s[r.URL.Path]
	switch {
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		text = `{"kind":"Status","status":"Failure","reason":"NotFound","code":404}`
	case text == "forbidden":
		w.WriteHeader(http.StatusForbidden)
		text = `{"kind":"Status","status":"Failure","reason":"Forbidden","code":403}`
	}
	fmt.Fprint(w, text)
}

const greeters = `{"kind":"APIResourceList","groupVersion":"demo.kopf.dev/v1","resources":[
	{"name":"greeters/status","kind":"Greeter","namespaced":true,"verbs":["get","patch","update"]},
	{"name":"greeters","kind":"Greeter","namespaced":true,"verbs":["delete","get","list","patch","watch"]},
	{"name":"halls","kind":"Hall","namespaced":false,"verbs":["create","get"]}]}`

func TestFind(t *testing.T) {
	served := server{
		"/apis/demo.kopf.dev/v1": greeters,
		"/apis/demo.kopf.dev":    `{"versions":[{"version":"v1"},{"version":"v1alpha1"}]}`,
		"/api/v1":                `{"resources":[{"name":"pods","kind":"Pod","namespaced":true,"verbs":["list","watch"]}]}`,
		"/apis/broken.dev/v1":    `<html>`,
		"/apis/closed.dev/v1":    "forbidden",
	}
	tests := map[string]struct {
		declared api.Resource
		want     api.Resource
		err      string
		absent   bool
	}{
		"by plural": {
			declared: api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "greeters", Kind: "Greeter", Namespaced: true},
			want:     api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "greeters", Kind: "Greeter", Namespaced: true, HasStatus: true},
		},
		"by kind": {
			declared: api.Resource{Group: "demo.kopf.dev", Version: "v1", Kind: "Greeter"},
			want:     api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "greeters", Kind: "Greeter", Namespaced: true, HasStatus: true},
		},
		"the server knows better": {
			declared: api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "halls", Kind: "Hall", Namespaced: true, HasStatus: true},
			want:     api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "halls", Kind: "Hall"},
		},
		"core": {
			declared: api.Resource{Version: "v1", Plural: "pods"},
			want:     api.Resource{Version: "v1", Plural: "pods", Kind: "Pod", Namespaced: true},
		},
		"another kind": {
			declared: api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "greeters", Kind: "Hello"},
			err:      "resource greeters.v1.demo.kopf.dev is of kind Greeter, not Hello",
		},
		"no such resource": {
			declared: api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "guests"},
			err:      "resource guests.v1.demo.kopf.dev is not there", absent: true,
		},
		"no such version": {
			declared: api.Resource{Group: "demo.kopf.dev", Version: "v2", Plural: "greeters"},
			err:      "resource greeters.v2.demo.kopf.dev is not there: the server has demo.kopf.dev in version v1, v1alpha1", absent: true,
		},
		"no such group": {
			declared: api.Resource{Group: "nobody.dev", Version: "v1", Plural: "greeters"},
			err:      "resource greeters.v1.nobody.dev is not there", absent: true,
		},
		"broken": {
			declared: api.Resource{Group: "broken.dev", Version: "v1", Plural: "x"},
			err:      "looking for resource x.v1.broken.dev: invalid character",
		},
		"closed": {
			declared: api.Resource{Group: "closed.dev", Version: "v1", Plural: "x"},
			err:      "looking for resource x.v1.closed.dev: get /apis/closed.dev/v1",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				found, err := discovery.Find(t.Context(), apitest.Serve(t, served), tt.declared)
				if tt.err != "" {
					var absent *discovery.AbsentError
					if err == nil || !strings.HasPrefix(err.Error(), tt.err) || errors.As(err, &absent) != tt.absent {
						t.Errorf("got error %v, want %s", err, tt.err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, found.Resource); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestVerbs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := apitest.Serve(t, server{"/apis/demo.kopf.dev/v1": greeters})
		found, err := discovery.Find(t.Context(), client, api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "halls"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"list", "watch"}, found.Lacks("list", "get", "watch")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDefine(t *testing.T) {
	const (
		closed    = `"schema":{"openAPIV3Schema":{"properties":{"status":{"type":"object","properties":{"phase":{}}}}}}`
		preserved = `"schema":{"openAPIV3Schema":{"properties":{"status":{"x-kubernetes-preserve-unknown-fields":true}}}}`
		mapped    = `"schema":{"openAPIV3Schema":{"properties":{"status":{"additionalProperties":{"type":"string"}}}}}`
		unmapped  = `"schema":{"openAPIV3Schema":{"properties":{"status":{"additionalProperties":false}}}}`
		above     = `"schema":{"openAPIV3Schema":{"x-kubernetes-preserve-unknown-fields":true}}`
		outside   = `"schema":{"openAPIV3Schema":{"x-kubernetes-preserve-unknown-fields":true,"properties":{"status":{"type":"object"}}}}`
		none      = `"schema":{"openAPIV3Schema":{"properties":{"spec":{}}}}`
	)
	single := func(schema string) string {
		return `{"spec":{"versions":[{"name":"v1","storage":true,` + schema + `}]}}`
	}
	double := func(conversion string) string {
		return `{"spec":{` + conversion + `"versions":[{"name":"v1",` + closed + `},{"name":"v2","storage":true,` + preserved + `}]}}`
	}
	tests := map[string]struct {
		crd          string // "" if there is none
		known, keeps bool
		warns        bool
	}{
		"no CRD":                     {},
		"forbidden":                  {crd: "forbidden"},
		"closed status":              {crd: single(closed), known: true},
		"open status":                {crd: single(preserved), known: true, keeps: true},
		"status is a map":            {crd: single(mapped), known: true, keeps: true},
		"status is a closed map":     {crd: single(unmapped), known: true},
		"open root":                  {crd: single(above), known: true, keeps: true},
		"open root, closed status":   {crd: single(outside), known: true},
		"no status at all":           {crd: single(none), known: true},
		"an old CRD":                 {crd: `{"spec":{"preserveUnknownFields":true,"versions":[{"name":"v1","storage":true}]}}`, known: true, keeps: true},
		"not the stored version":     {crd: double(`"conversion":{"strategy":"None"},`), known: true, warns: true},
		"converted":                  {crd: double(`"conversion":{"strategy":"Webhook"},`), known: true},
		"no conversion is like None": {crd: double(``), known: true, warns: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := server{}
				if tt.crd != "" {
					s["/apis/apiextensions.k8s.io/v1/customresourcedefinitions/greeters.demo.kopf.dev"] = tt.crd
				}
				d, known, err := discovery.Define(t.Context(), apitest.Serve(t, s), api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "greeters"})
				if err != nil || known != tt.known || d.KeepsStatus != tt.keeps || (d.Warning() != "") != tt.warns {
					t.Errorf("%v, known: %v, %+v, warning: %s", err, known, d, d.Warning())
				}
			})
		})
	}
}

func TestCoreResourcesHaveNoDefinition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := apitest.Serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("there was no need to ask") }))
		if _, known, err := discovery.Define(t.Context(), client, api.Resource{Version: "v1", Plural: "pods"}); known || err != nil {
			t.Errorf("%v, %v", known, err)
		}
	})
}
