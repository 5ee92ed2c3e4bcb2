package apply

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestDecode(t *testing.T) {
	for name, test := range map[string]struct {
		manifest string
		want     []string
		err      string
	}{
		"one object":                  {manifest: "kind: A", want: []string{"A"}},
		"several":                     {manifest: "kind: A\n---\nkind: B\n", want: []string{"A", "B"}},
		"separators at the ends":      {manifest: "---\nkind: A\n---\n", want: []string{"A"}},
		"empty documents and remarks": {manifest: "# first\n---\n\n---\nkind: A\n---\n# last\n", want: []string{"A"}},
		"JSON":                        {manifest: `{"kind": "A"}`, want: []string{"A"}},
		"nothing":                     {manifest: ""},
		"no object":                   {manifest: "kind: A\n---\n- a list\n", err: "decode object 2"},
		"no YAML":                     {manifest: "a: b: c", err: "decode object 1"},
	} {
		t.Run(name, func(t *testing.T) {
			objects, err := decode([]byte(test.manifest))
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("got error %v, want one with %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var kinds []string
			for _, object := range objects {
				kinds = append(kinds, object.GetKind())
			}
			if diff := cmp.Diff(test.want, kinds); diff != "" {
				t.Errorf("kinds (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServed(t *testing.T) {
	crd := definition(t, `
spec:
  group: demo.kopf.dev
  names: {plural: greeters}
  versions: [{name: v1, served: true}, {name: v1beta1, served: false}, {name: v2, served: true}]`)
	want := []schema.GroupVersionResource{
		{Group: "demo.kopf.dev", Version: "v1", Resource: "greeters"},
		{Group: "demo.kopf.dev", Version: "v2", Resource: "greeters"},
	}
	if diff := cmp.Diff(want, served(crd)); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

func TestEstablished(t *testing.T) {
	for name, test := range map[string]struct {
		status string
		want   bool
		err    string
	}{
		"no status":         {},
		"just made":         {status: "{conditions: null}"},
		"accepted only":     {status: "{conditions: [{type: NamesAccepted, status: 'True'}]}"},
		"not yet":           {status: "{conditions: [{type: NamesAccepted, status: 'True'}, {type: Established, status: 'False'}]}"},
		"established":       {status: "{conditions: [{type: NamesAccepted, status: 'True'}, {type: Established, status: 'True'}]}", want: true},
		"names are taken":   {status: "{conditions: [{type: NamesAccepted, status: 'False', message: taken}]}", err: "taken"},
		"no conditions yet": {status: "{conditions: null}"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := established(definition(t, "status: "+test.status))
			if test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Errorf("got error %v, want one with %q", err, test.err)
			}
			if test.err == "" && err != nil {
				t.Error(err)
			}
			if got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func definition(t *testing.T, manifest string) *unstructured.Unstructured {
	t.Helper()
	objects, err := decode([]byte("kind: CustomResourceDefinition\n" + strings.TrimSpace(manifest)))
	if err != nil {
		t.Fatal(err)
	}
	return objects[0]
}
