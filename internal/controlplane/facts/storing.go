package facts

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

// storing says what becomes of the text of an object.
var storing = []Fact{
	{"members are sorted and numbers normalised", func(t *testing.T, s *session) {
		for _, test := range []struct{ name, sent, want string }{
			{"sorted", `{"b": 1, "a": {"d": 1, "c": 2}}`, `{"a":{"c":2,"d":1},"b":1}`},
			{"whole", `[1.0, 1e3, -0, 2.50, -0.0]`, `[1,1000,0,2.5,0]`},
			{"large", `[9223372036854775807, -9223372036854775808]`, `[9223372036854775807,-9223372036854775808]`},
			{"beyond", `[9223372036854775808]`, `[9223372036854776000]`},
			{"nulls", `{"a": null, "b": [null]}`, `{"a":null,"b":[null]}`},
			{"escaped", `"<a href='é'>&"`, `"\u003ca href='é'\u003e\u0026"`},
		} {
			created := s.create(blobs, "normal-"+test.name, "", `"data": `+test.sent)
			if want := `"data":` + test.want; !bytes.Contains(created.body, []byte(want)) {
				t.Errorf("%s: got %s, want %s", test.sent, created.body, want)
			}
		}
	}},
	{"a merge patch drops nulls in objects, those in lists included", func(t *testing.T, s *session) {
		s.create(blobs, "merged", "", "")
		patched := s.require(http.StatusOK, s.patch(blobs, "merged", mergePatch, `{"data": {"a": null, "b": [{"c": null, "d": 1}]}}`))
		if want := `"data":{"b":[{"d":1}]}`; !bytes.Contains(patched.body, []byte(want)) {
			t.Errorf("got %s, want %s", patched.body, want)
		}
	}},
	{"of duplicate members the last wins with a warning, and strict validation refuses them", func(t *testing.T, s *session) {
		const body = `{"apiVersion": "facts.kopf.dev/v1", "kind": "Blob", "metadata": {"name": "duplicate"}, "data": {"a": 1, "a": 2}}`
		if got := s.do(http.MethodPost, s.url(blobs)+"?fieldValidation=Strict", plainJSON, body); got.status != http.StatusBadRequest {
			t.Errorf("strict: got status %d: %s", got.status, got.body)
		}
		created := s.require(http.StatusCreated, s.do(http.MethodPost, s.url(blobs), plainJSON, body))
		if !bytes.Contains(created.body, []byte(`"data":{"a":2}`)) {
			t.Errorf("got %s", created.body)
		}
		if warning := created.header.Get("Warning"); !strings.HasPrefix(warning, "299 ") || !strings.Contains(warning, "duplicate field") {
			t.Errorf("warning: got %q", warning)
		}
	}},
	{"members of custom resources are sorted at the top too, those of built-in kinds are not", func(t *testing.T, s *session) {
		custom := s.create(blobs, "order", "", `"zebra": 1, "data": {"a": "b"}`)
		if !inOrder(custom.body, `"apiVersion"`, `"data"`, `"kind"`, `"metadata"`, `"zebra"`) {
			t.Errorf("custom resource: got %s", custom.body)
		}
		builtIn := s.create(configMaps, "order", "", `"data": {"a": "b"}`)
		if !inOrder(builtIn.body, `"kind"`, `"apiVersion"`, `"metadata"`, `"data"`) {
			t.Errorf("built-in kind: got %s", builtIn.body)
		}
	}},
}

// inOrder reports whether the parts occur in text one after the other.
func inOrder(text []byte, parts ...string) bool {
	for _, part := range parts {
		_, after, found := bytes.Cut(text, []byte(part))
		if !found {
			return false
		}
		text = after
	}
	return true
}
