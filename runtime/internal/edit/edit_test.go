package edit

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func TestDiff(t *testing.T) {
	const ports = `{"spec":{"ports":[{"name":"a","port":1,"x":"A"},{"name":"b","port":2,"x":"B"},{"name":"c","port":3,"x":9007199254740993}]}}`
	for _, c := range []struct {
		name, raw      string
		edit           func(*Widget)
		object, status string // "" is none
		versioned      bool   // whichever of the two patches has a list
	}{{
		name: "nothing",
		raw:  `{"spec":{"size":1,"unknown":{"a":1}}}`,
		edit: func(*Widget) {},
	}, {
		name: "a scalar beside an unknown field",
		raw:  `{"spec":{"size":1,"unknown":9007199254740993}}`,
		edit: func(w *Widget) { w.Spec.Size = 2 }, object: `{"spec":{"size":2}}`,
	}, {
		name: "a big integer",
		raw:  `{"spec":{"size":1}}`,
		edit: func(w *Widget) { w.Spec.Size = 1<<53 + 1 }, object: `{"spec":{"size":9007199254740993}}`,
	}, {
		name: "a big integer in any",
		raw:  `{"spec":{"any":{"a":9007199254740993,"b":1}}}`,
		edit: func(w *Widget) { w.Spec.Any.(map[string]any)["b"] = int64(1<<53 + 1) }, object: `{"spec":{"any":{"b":9007199254740993}}}`,
	}, {
		name: "back to zero with omitempty",
		raw:  `{"spec":{"size":1}}`,
		edit: func(w *Widget) { w.Spec.Size = 0 }, object: `{"spec":{"size":null}}`,
	}, {
		name: "back to zero without omitempty",
		raw:  `{"spec":{"zero":1}}`,
		edit: func(w *Widget) { w.Spec.Zero = 0 }, object: `{"spec":{"zero":0}}`,
	}, {
		name: "a zero that Go writes and raw lacks",
		raw:  `{"spec":{"size":1}}`,
		edit: func(w *Widget) { w.Spec.Name = "n" }, object: `{"spec":{"name":"n"}}`,
	}, {
		name: "null in raw",
		raw:  `{"spec":{"box":null,"ports":null,"name":null,"size":1}}`,
		edit: func(w *Widget) { w.Spec.Size = 2 }, object: `{"spec":{"size":2}}`,
	}, {
		name: "a pointer set where raw has null",
		raw:  `{"spec":{"box":null}}`,
		edit: func(w *Widget) { w.Spec.Box = &Box{Color: "red"} }, object: `{"spec":{"box":{"color":"red"}}}`,
	}, {
		name: "a pointer replaced keeps what Go does not know",
		raw:  `{"spec":{"box":{"color":"red","weight":1,"unknown":true}}}`,
		edit: func(w *Widget) { w.Spec.Box = &Box{Color: "blue"} }, object: `{"spec":{"box":{"color":"blue","weight":null}}}`,
	}, {
		name: "a pointer removed",
		raw:  `{"spec":{"box":{"color":"red","unknown":true}}}`,
		edit: func(w *Widget) { w.Spec.Box = nil }, object: `{"spec":{"box":null}}`,
	}, {
		name: "an empty object made",
		raw:  `{"spec":{}}`,
		edit: func(w *Widget) { w.Spec.Box = &Box{} }, object: `{"spec":{"box":{}}}`,
	}, {
		name: "a struct that was left out as zero, with unknown members in its place",
		raw:  `{"spec":{"inner":{"unknown":true}}}`,
		edit: func(w *Widget) { w.Spec.Inner.Color = "red" }, object: `{"spec":{"inner":{"color":"red"}}}`,
	}, {
		name:   "a map key set, one removed",
		raw:    `{"spec":{"labels":{"a":"1","b":"2"}}}`,
		edit:   func(w *Widget) { delete(w.Spec.Labels, "a"); w.Spec.Labels["c"] = "3" },
		object: `{"spec":{"labels":{"a":null,"c":"3"}}}`,
	}, {
		name: "a map cleared, with omitempty",
		raw:  `{"spec":{"labels":{"a":"1"}}}`,
		edit: func(w *Widget) { clear(w.Spec.Labels) }, object: `{"spec":{"labels":null}}`,
	}, {
		name: "a map cleared, without omitempty",
		raw:  `{"spec":{"options":{"a":"1"}}}`,
		edit: func(w *Widget) { clear(w.Spec.Options) }, object: `{"spec":{"options":{"a":null}}}`,
	}, {
		name: "a quantity in another spelling stays as it is",
		raw:  `{"spec":{"memory":"1024Mi","size":1}}`,
		edit: func(w *Widget) { w.Spec.Size = 2 }, object: `{"spec":{"size":2}}`,
	}, {
		name: "a quantity changed",
		raw:  `{"spec":{"memory":"1024Mi"}}`,
		edit: func(w *Widget) { q := resource.MustParse("2Gi"); w.Spec.Memory = &q }, object: `{"spec":{"memory":"2Gi"}}`,
	}, {
		name: "a time with a fraction that Go cuts",
		raw:  `{"status":{"since":"2026-01-01T00:00:00.123456Z","phase":"A"}}`,
		edit: func(w *Widget) { w.Status.Phase = "B" }, status: `{"status":{"phase":"B"}}`,
	}, {
		name: "a float in another spelling",
		raw:  `{"spec":{"ratio":1e3,"size":1}}`,
		edit: func(w *Widget) { w.Spec.Size = 2 }, object: `{"spec":{"size":2}}`,
	}, {
		name:   "status apart",
		raw:    `{"spec":{"size":1},"status":{"phase":"A","unknown":1}}`,
		edit:   func(w *Widget) { w.Spec.Size = 2; w.Status.Phase = "B" },
		object: `{"spec":{"size":2}}`, status: `{"status":{"phase":"B"}}`,
	}, {
		name:   "any turned from an object into a scalar, and back",
		raw:    `{"spec":{"any":{"a":1},"raw":{"b":2}}}`,
		edit:   func(w *Widget) { w.Spec.Any = "s"; w.Spec.Raw["b"] = map[string]any{"c": 3} },
		object: `{"spec":{"any":"s","raw":{"b":{"c":3}}}}`,
	}, {
		name:   "a map of pointers",
		raw:    `{"spec":{"byName":{"a":{"color":"red","x":1},"b":{"color":"red"}}}}`,
		edit:   func(w *Widget) { w.Spec.ByName["a"].Color = "blue"; delete(w.Spec.ByName, "b") },
		object: `{"spec":{"byName":{"a":{"color":"blue"},"b":null}}}`,
	}, {
		name: "list: an element edited, unknown fields stay everywhere",
		raw:  ports, versioned: true,
		edit:   func(w *Widget) { w.Spec.Ports[1].Port = 20 },
		object: `{"spec":{"ports":[{"name":"a","port":1,"x":"A"},{"name":"b","port":20,"x":"B"},{"name":"c","port":3,"x":9007199254740993}]}}`,
	}, {
		name: "list: a member of an element removed",
		raw:  ports, versioned: true,
		edit:   func(w *Widget) { w.Spec.Ports[1].Port = 0 },
		object: `{"spec":{"ports":[{"name":"a","port":1,"x":"A"},{"name":"b","x":"B"},{"name":"c","port":3,"x":9007199254740993}]}}`,
	}, {
		name: "list: elements moved",
		raw:  ports, versioned: true,
		edit:   func(w *Widget) { slices.Reverse(w.Spec.Ports) },
		object: `{"spec":{"ports":[{"name":"c","port":3,"x":9007199254740993},{"name":"b","port":2,"x":"B"},{"name":"a","port":1,"x":"A"}]}}`,
	}, {
		name: "list: an element removed",
		raw:  ports, versioned: true,
		edit:   func(w *Widget) { w.Spec.Ports = slices.Delete(w.Spec.Ports, 0, 1) },
		object: `{"spec":{"ports":[{"name":"b","port":2,"x":"B"},{"name":"c","port":3,"x":9007199254740993}]}}`,
	}, {
		name: "list: one edited, one moved, one removed, one new",
		raw:  ports, versioned: true,
		edit: func(w *Widget) {
			p := w.Spec.Ports
			p[1].Port = 20
			w.Spec.Ports = []Port{p[2], {Name: "d"}, p[1]}
		},
		object: `{"spec":{"ports":[{"name":"c","port":3,"x":9007199254740993},{"name":"d"},{"name":"b","port":20,"x":"B"}]}}`,
	}, {
		name: "list: cleared",
		raw:  ports, versioned: true,
		edit: func(w *Widget) { w.Spec.Ports = nil }, object: `{"spec":{"ports":null}}`,
	}, {
		name: "list: cleared, without omitempty",
		raw:  `{"spec":{"required":["a"]}}`, versioned: true,
		edit: func(w *Widget) { w.Spec.Required = []string{} }, object: `{"spec":{"required":[]}}`,
	}, {
		name: "list: made",
		raw:  `{"spec":{}}`, versioned: true,
		edit: func(w *Widget) { w.Spec.Args = []string{"a"} }, object: `{"spec":{"args":["a"]}}`,
	}, {
		name: "list: of scalars",
		raw:  `{"spec":{"args":["a","b","a"]}}`, versioned: true,
		edit: func(w *Widget) { w.Spec.Args = append(w.Spec.Args[1:], "c") }, object: `{"spec":{"args":["b","a","c"]}}`,
	}, {
		name: "list without keys: paired by place when the lengths agree",
		raw:  `{"spec":{"rules":[{"host":"a","x":1},{"host":"b","x":2}]}}`, versioned: true,
		edit:   func(w *Widget) { w.Spec.Rules[1].Host = "c" },
		object: `{"spec":{"rules":[{"host":"a","x":1},{"host":"c","x":2}]}}`,
	}, {
		name: "list without keys: equal elements keep their own unknown fields",
		raw:  `{"spec":{"rules":[{"host":"a","x":1},{"host":"a","x":2},{"host":"b","x":3}]}}`, versioned: true,
		edit:   func(w *Widget) { w.Spec.Rules = []Rule{w.Spec.Rules[2], w.Spec.Rules[1], {Host: "n"}, w.Spec.Rules[0]} },
		object: `{"spec":{"rules":[{"host":"b","x":3},{"host":"a","x":2},{"host":"n"},{"host":"a","x":1}]}}`,
	}, {
		name: "list in an element of a list",
		raw:  `{"spec":{"ports":[{"name":"a","rules":[{"host":"h","x":1},{"host":"i","x":2}],"x":3}]}}`, versioned: true,
		edit:   func(w *Widget) { w.Spec.Ports[0].Rules[0].Path = "/" },
		object: `{"spec":{"ports":[{"name":"a","rules":[{"host":"h","path":"/","x":1},{"host":"i","x":2}],"x":3}]}}`,
	}, {
		name: "list in a list",
		raw:  `{"spec":{"matrix":[[{"host":"h","x":1}],[{"host":"i","x":2}]]}}`, versioned: true,
		edit:   func(w *Widget) { w.Spec.Matrix[0][0].Path = "/" },
		object: `{"spec":{"matrix":[[{"host":"h","path":"/","x":1}],[{"host":"i","x":2}]]}}`,
	}, {
		name: "list in a map, with keys",
		raw:  `{"spec":{"groups":{"g.h":{"ports":[{"name":"a","x":1},{"name":"b","x":2}],"y":1}}}}`, versioned: true,
		edit: func(w *Widget) {
			g := w.Spec.Groups["g.h"]
			g.Ports = []Port{{Name: "b", Port: 5}}
			w.Spec.Groups["g.h"] = g
		},
		object: `{"spec":{"groups":{"g.h":{"ports":[{"name":"b","port":5,"x":2}]}}}}`,
	}, {
		name: "list with null elements in raw",
		raw:  `{"spec":{"rules":[null,{"host":"b","x":2}]}}`, versioned: true,
		edit: func(w *Widget) { w.Spec.Rules[1].Host = "c" }, object: `{"spec":{"rules":[null,{"host":"c","x":2}]}}`,
	}, {
		name: "list: conditions of the status, times untouched",
		raw:  `{"status":{"conditions":[{"type":"A","status":"True","changed":"2026-01-01T00:00:00.5Z","x":1}]}}`, versioned: true,
		edit: func(w *Widget) {
			w.Status.Conditions[0].Status = "False"
			w.Status.Conditions = append(w.Status.Conditions, Condition{Type: "B", Status: "True"})
		},
		status: `{"status":{"conditions":[{"type":"A","status":"False","changed":"2026-01-01T00:00:00.5Z","x":1},{"type":"B","status":"True"}]}}`,
	}, {
		name:   "labels and annotations: the last one is removed alone",
		raw:    `{"metadata":{"labels":{"a":"1"},"annotations":{"b":"2"}}}`,
		edit:   func(w *Widget) { w.Labels = nil; w.Annotations = map[string]string{"c": "3"} },
		object: `{"metadata":{"labels":{"a":null},"annotations":{"b":null,"c":"3"}}}`,
	}, {
		name: "ownerReferences are known by uid",
		raw:  `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u","x":1}]}}`, versioned: true,
		edit: func(w *Widget) {
			w.OwnerReferences = []metav1.OwnerReference{{Kind: "L", UID: "v"}, {APIVersion: "v2", Kind: "K", Name: "n", UID: "u"}}
		},
		object: `{"metadata":{"ownerReferences":[{"apiVersion":"","kind":"L","name":"","uid":"v"},` +
			`{"apiVersion":"v2","kind":"K","name":"n","uid":"u","x":1}]}}`,
	}} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Diff([]byte(c.raw), around(t, c.raw, c.edit))
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []struct {
				name string
				want string
				got  map[string]any
			}{{"object", c.object, got.Object}, {"status", c.status, got.Status}} {
				want := part.want
				if want != "" {
					want = text(t, parse(t, want))
				}
				if diff := cmp.Diff(want, text(t, part.got)); diff != "" {
					t.Errorf("patch of the %s (-want +got):\n%s", part.name, diff)
				}
			}
			if got.Versioned != (c.versioned && c.object != "") || got.StatusVersioned != (c.versioned && c.status != "") {
				t.Errorf("versioned: object %v, status %v", got.Versioned, got.StatusVersioned)
			}
			if len(got.AddFinalizers)+len(got.RemoveFinalizers) > 0 {
				t.Errorf("finalizers: +%q -%q", got.AddFinalizers, got.RemoveFinalizers)
			}
			if got.Empty() != (c.object == "" && c.status == "") {
				t.Errorf("Empty() = %v", got.Empty())
			}
		})
	}
}

func TestDiffRefusesWhatHandlersMustNotEdit(t *testing.T) {
	const raw = `{"apiVersion":"v1","kind":"Widget","metadata":{"name":"n","namespace":"s","uid":"u","generation":1,"resourceVersion":"1",` +
		`"creationTimestamp":"2026-01-01T00:00:00Z","annotations":{"kopf.dev/handler":"{}","kopf.device/a":"b"}},"spec":{"size":1}}`
	now := metav1.NewTime(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	seconds := int64(3)
	for _, c := range []struct {
		field string // "" is allowed
		edit  func(*Widget)
	}{
		{"apiVersion", func(w *Widget) { w.APIVersion = "v2" }},
		{"kind", func(w *Widget) { w.Kind = "" }},
		{"metadata.name", func(w *Widget) { w.Name = "m" }},
		{"metadata.namespace", func(w *Widget) { w.Namespace = "" }},
		{"metadata.generateName", func(w *Widget) { w.GenerateName = "g-" }},
		{"metadata.uid", func(w *Widget) { w.UID = types.UID("v") }},
		{"metadata.resourceVersion", func(w *Widget) { w.ResourceVersion = "2" }},
		{"metadata.generation", func(w *Widget) { w.Generation++ }},
		//lint:ignore SA1019 an edit of it is refused like the others
		{"metadata.selfLink", func(w *Widget) { w.SelfLink = "/" }},
		{"metadata.creationTimestamp", func(w *Widget) { w.CreationTimestamp = now }},
		{"metadata.deletionTimestamp", func(w *Widget) { w.DeletionTimestamp = &now }},
		{"metadata.deletionGracePeriodSeconds", func(w *Widget) { w.DeletionGracePeriodSeconds = &seconds }},
		{"metadata.managedFields", func(w *Widget) { w.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "m"}} }},
		{"metadata.annotations[kopf.dev/handler]", func(w *Widget) { w.Annotations["kopf.dev/handler"] = "" }},
		{"metadata.annotations[kopf.dev/handler]", func(w *Widget) { w.Annotations = nil }},
		{"metadata.annotations[kopf.dev/new]", func(w *Widget) { w.Annotations["kopf.dev/new"] = "x" }},
		{"", func(w *Widget) { w.Annotations["kopf.device/a"] = "c" }},
		{"", func(w *Widget) { w.Annotations["kopf.dev"] = "c" }},
		{"", func(w *Widget) { w.Labels = map[string]string{"kopf.dev/x": "y"} }},
	} {
		t.Run(c.field, func(t *testing.T) {
			got, err := Diff([]byte(raw), around(t, raw, func(w *Widget) { c.edit(w); w.Spec.Size = 2 }))
			if c.field == "" {
				if err != nil || got.Empty() {
					t.Errorf("Diff = %+v, %v", got, err)
				}
				return
			}
			refused, ok := errors.AsType[*RefusedError](err)
			if !ok || !slices.Contains(refused.Fields, c.field) || !strings.Contains(err.Error(), c.field) {
				t.Errorf("Diff = %v, want %s refused", err, c.field)
			}
			if !got.Empty() {
				t.Errorf("something is to be written: %+v", got)
			}
		})
	}
}

func TestDiffOfFinalizers(t *testing.T) {
	for _, c := range []struct {
		name, raw   string
		after       []string
		add, remove []string
	}{
		{"added to none", `{"metadata":{}}`, []string{"a/f"}, []string{"a/f"}, nil},
		{"added to others", `{"metadata":{"finalizers":["b/f"]}}`, []string{"a/f", "b/f"}, []string{"a/f"}, nil},
		{"removed", `{"metadata":{"finalizers":["a/f","b/f"]}}`, []string{"b/f"}, nil, []string{"a/f"}},
		{"cleared", `{"metadata":{"finalizers":["a/f","b/f"]}}`, nil, nil, []string{"a/f", "b/f"}},
		{"exchanged", `{"metadata":{"finalizers":["a/f"]}}`, []string{"b/f", "b/f"}, []string{"b/f"}, []string{"a/f"}},
		{"moved", `{"metadata":{"finalizers":["a/f","b/f"]}}`, []string{"b/f", "a/f"}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Diff([]byte(c.raw), around(t, c.raw, func(w *Widget) { w.Finalizers = c.after }))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Change{AddFinalizers: c.add, RemoveFinalizers: c.remove}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffOfParts(t *testing.T) {
	const raw = `{"metadata":{"name":"n","labels":{"a":"1"}},"spec":{"size":1},"status":{"phase":"A"}}`
	scribble := func(w *Widget) {
		w.Name = "other"
		w.Spec.Size = 2
		w.Status.Phase = "B"
	}
	e := around(t, raw, scribble)
	e.Parts = []string{"status"}
	got, err := Diff([]byte(raw), e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Change{Status: map[string]any{"status": map[string]any{"phase": "B"}}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	e.Parts = []string{"metadata", "status"}
	if _, err := Diff([]byte(raw), e); err == nil {
		t.Error("the name of the metadata was accepted")
	}
}

func TestDiffStopsAtEqualBytes(t *testing.T) {
	// Neither of them is JSON: it must not be looked at.
	if got, err := Diff([]byte("x"), Edit{Before: []byte("y"), After: []byte("y")}); err != nil || !got.Empty() {
		t.Errorf("Diff = %+v, %v", got, err)
	}
}

func TestDiffOfForeignJSON(t *testing.T) {
	for _, c := range []struct{ raw, before, after string }{
		{`{}`, `{`, `{}`},
		{`{}`, `{}`, `[]`},
		{`{"spec":`, `{"spec":{}}`, `{"spec":{"args":["a"]}}`},
	} {
		if got, err := Diff([]byte(c.raw), Edit{Before: []byte(c.before), After: []byte(c.after)}); err == nil {
			t.Errorf("Diff(%q, %q, %q) = %+v", c.raw, c.before, c.after, got)
		}
	}
}
