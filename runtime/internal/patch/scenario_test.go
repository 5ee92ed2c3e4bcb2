package patch

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// scenario is one plan for one object, and what other people do meanwhile. The same ones run on the double and on the real API server.
type scenario struct {
	name     string
	resource api.Resource // widgets, if not given
	object   string       // as it is created
	status   string       // put there afterwards
	ready    func(*world) // what people do before the operator reads the state
	stale    func(*world) // what they do after that
	during   map[int]func(*world)
	plan     func(state map[string]any) *Plan

	requests []string
	want     string // what the object has afterwards, among other members; "" if it does not exist
	gone     bool
	released bool
	newest   bool // a newest state is answered
	left     bool
	pruned   []string
	rejected string // the part that is refused
	failed   bool   // another error
	check    func(*testing.T, *world, Sent)
}

func merging(docs ...map[string]any) func(map[string]any) *Plan {
	return func(map[string]any) *Plan {
		p := &Plan{}
		for _, doc := range docs {
			p.AddMerge(doc)
		}
		return p
	}
}

func object(name string, value any) map[string]any { return map[string]any{name: value} }

// editing plans what turns a state into another, as if a handler had edited a typed copy.
func editing(parts ...func(map[string]any)) func(map[string]any) *Plan {
	return func(state map[string]any) *Plan {
		p := &Plan{}
		for _, part := range parts {
			before, _ := tree.Encode(state)
			copied := tree.Copy(state).(map[string]any)
			part(copied)
			after, _ := tree.Encode(copied)
			change, err := edit.Diff(before, edit.Edit{Before: before, After: after, Keys: map[string][]string{
				"spec.ports": {"name"}, "status.conditions": {"type"},
			}})
			if err != nil {
				panic(err)
			}
			p.Add(change)
		}
		return p
	}
}

// appending adds an element to a list.
func appending(element any, path ...string) func(map[string]any) {
	return func(m map[string]any) {
		value, _ := tree.Get(m, path...)
		list, _ := value.([]any)
		tree.Set(m, append(list, element), path...)
	}
}

func calling(funcs ...func(map[string]any) error) func(map[string]any) *Plan {
	return func(map[string]any) *Plan { return &Plan{Funcs: funcs} }
}

func setting(value any, path ...string) func(map[string]any) error {
	return func(m map[string]any) error {
		tree.Set(m, value, path...)
		return nil
	}
}

var scenarios = []scenario{{
	name:   "nothing planned",
	object: `{"spec":{"size":1}}`, want: `{"spec":{"size":1}}`,
	plan: merging(),
}, {
	name:   "nothing would change",
	object: `{"metadata":{"annotations":{"a":"b"},"finalizers":["kopf.dev/ours"]},"spec":{"size":1}}`, status: `{"status":{"phase":"A"}}`,
	plan: func(map[string]any) *Plan {
		return &Plan{
			Object:           map[string]any{"metadata": object("annotations", map[string]any{"a": "b", "c": nil}), "spec": object("size", int64(1))},
			Status:           object("status", map[string]any{"phase": "A", "count": nil}),
			AddFinalizers:    []string{ours},
			RemoveFinalizers: []string{"kopf.dev/other"},
			Funcs:            []func(map[string]any) error{func(map[string]any) error { return nil }},
		}
	},
	want: `{"metadata":{"annotations":{"a":"b"}}}`,
}, {
	name:   "removals of what is not there, deep down",
	object: `{"spec":{"size":1}}`, resource: plains,
	plan: merging(map[string]any{
		"metadata": object("annotations", object("a", nil)), "spec": object("size", int64(1)), "status": object("a", object("b", nil)),
	}),
	want: `{"spec":{"size":1}}`,
}, {
	name:   "removals of what is not there leave no empty objects",
	object: `{"spec":{"size":1}}`, resource: plains,
	plan:   merging(map[string]any{"spec": map[string]any{"size": int64(2), "box": object("b", nil)}, "status": object("a", object("b", nil))}),
	newest: true, requests: []string{"merge"}, want: `{"spec":{"size":2}}`,
	check: func(t *testing.T, w *world, _ Sent) {
		got := w.get()
		if _, ok := got["status"]; ok || len(tree.Object(got, "spec")) != 1 {
			t.Errorf("there are empty objects: %v", got)
		}
	},
}, {
	name:   "an empty object is something",
	object: `{"spec":{"size":1}}`,
	plan:   merging(object("spec", object("box", map[string]any{}))),
	newest: true, requests: []string{"merge"}, want: `{"spec":{"size":1}}`,
	check: func(t *testing.T, w *world, _ Sent) {
		if tree.Object(w.get(), "spec", "box") == nil {
			t.Error("it is not there")
		}
	},
}, {
	name:   "the object",
	object: `{"spec":{"size":1,"big":9007199254740993}}`,
	plan:   merging(object("metadata", object("annotations", object("a", "b"))), object("spec", object("more", int64(9007199254740995)))),
	newest: true, requests: []string{"merge"},
	want: `{"metadata":{"annotations":{"a":"b"}},"spec":{"size":1,"big":9007199254740993,"more":9007199254740995}}`,
	check: func(t *testing.T, w *world, _ Sent) {
		if got := tree.Object(w.bodies[0], "metadata"); got["uid"] != w.target.UID || got["resourceVersion"] != nil {
			t.Errorf("preconditions: %v", got)
		}
	},
}, {
	name:   "the object, then its status",
	object: `{"spec":{"size":1}}`,
	plan:   merging(map[string]any{"spec": object("size", int64(2)), "status": object("phase", "A")}),
	newest: true, requests: []string{"merge", "merge status"},
	want: `{"spec":{"size":2},"status":{"phase":"A"}}`,
}, {
	name:   "everything in one request where the status is not apart",
	object: `{"spec":{"size":1}}`, resource: plains,
	plan:   merging(map[string]any{"spec": object("size", int64(2)), "status": object("phase", "A")}),
	newest: true, requests: []string{"merge"},
	want: `{"spec":{"size":2},"status":{"phase":"A"}}`,
}, {
	name:   "a status removed",
	object: `{}`, status: `{"status":{"phase":"A"}}`,
	plan:   merging(object("status", nil)),
	newest: true, requests: []string{"merge status"}, want: `{}`,
	check: func(t *testing.T, w *world, _ Sent) {
		if status, ok := w.get()["status"]; ok {
			t.Errorf("there is a status: %v", status)
		}
	},
}, {
	name:   "a result that the schema prunes",
	object: `{}`,
	plan:   merging(object("status", map[string]any{"create_fn": object("a", int64(1)), "update_fn": "x", "phase": nil})),
	newest: true, requests: []string{"merge status"},
	want: `{"status":{"create_fn":{"a":1}}}`, pruned: []string{"status.update_fn"},
}, {
	name:   "a plain merge patch does not mind that the object has moved on",
	object: `{"spec":{"size":1}}`, stale: func(w *world) { w.edit(`{"spec":{"color":"red"}}`) },
	plan:   merging(object("spec", object("size", int64(2)))),
	newest: true, requests: []string{"merge"}, want: `{"spec":{"size":2,"color":"red"}}`,
}, {
	name:   "the status of an object that has moved on",
	object: `{}`, stale: func(w *world) { w.edit(`{"spec":{"color":"red"}}`) },
	plan:   merging(object("status", object("phase", "A"))),
	newest: true, requests: []string{"merge status", "merge", "merge status"}, want: `{"status":{"phase":"A"}}`,
}, {
	name:   "the status of an object that keeps moving",
	object: `{}`, stale: func(w *world) { w.edit(`{"spec":{"size":5}}`) },
	during: map[int]func(*world){3: func(w *world) { w.edit(`{"spec":{"size":6}}`) }},
	plan:   merging(object("status", object("phase", "A"))),
	newest: true, left: true, requests: []string{"merge status", "merge", "merge status"}, want: `{"spec":{"size":6}}`,
}, {
	name:   "the status is there already in the newer state",
	object: `{}`, stale: func(w *world) { w.editStatus(`{"status":{"phase":"A"}}`) },
	plan:   merging(object("status", object("phase", "A"))),
	newest: true, requests: []string{"merge status", "merge"}, want: `{"status":{"phase":"A"}}`,
}, {
	name:   "gone: the object",
	object: `{}`, stale: func(w *world) { w.delete() },
	plan: merging(object("spec", object("size", int64(2)))),
	gone: true, requests: []string{"merge"},
}, {
	name:   "gone: the status",
	object: `{}`, stale: func(w *world) { w.delete() },
	plan: merging(object("status", object("phase", "A"))),
	gone: true, requests: []string{"merge status", "merge"},
}, {
	name:   "gone: the finalizers",
	object: `{}`, stale: func(w *world) { w.delete() },
	plan: func(map[string]any) *Plan { return &Plan{AddFinalizers: []string{ours}} },
	gone: true, requests: []string{"json"},
}, {
	name:   "a namesake: the object",
	object: `{}`, stale: func(w *world) { w.delete(); w.create(`{"spec":{"size":7}}`) },
	plan: merging(map[string]any{"spec": object("size", int64(2)), "status": object("phase", "A")}),
	gone: true, requests: []string{"merge"}, want: `{"spec":{"size":7}}`,
}, {
	name:   "a namesake: the status",
	object: `{}`, stale: func(w *world) { w.delete(); w.create(`{"spec":{"size":7}}`) },
	plan: merging(object("status", object("phase", "A"))),
	gone: true, requests: []string{"merge status", "merge"}, want: `{"spec":{"size":7}}`,
	check: func(t *testing.T, w *world, _ Sent) {
		if status, ok := w.get()["status"]; ok {
			t.Errorf("the namesake has a status: %v", status)
		}
	},
}, {
	name:   "a namesake: the finalizers",
	object: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`,
	stale: func(w *world) {
		w.delete()
		w.edit(`{"metadata":{"finalizers":null}}`)
		w.create(`{"metadata":{"finalizers":["kopf.dev/ours"]}}`)
	},
	plan: func(map[string]any) *Plan { return &Plan{RemoveFinalizers: []string{ours}} },
	gone: true, requests: []string{"json", "merge"}, want: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`,
}, {
	name:   "a namesake: functions on the status",
	object: `{}`, stale: func(w *world) { w.delete(); w.create(`{}`) },
	plan: calling(setting("A", "status", "phase")),
	gone: true, requests: []string{"json status", "merge"}, want: `{}`,
}, {
	name:   "a list",
	object: `{"spec":{"ports":[{"name":"a","x":1}]}}`,
	plan:   editing(appending(object("name", "b"), "spec", "ports")),
	newest: true, requests: []string{"merge"}, want: `{"spec":{"ports":[{"name":"a","x":1},{"name":"b"}]}}`,
	check: func(t *testing.T, w *world, _ Sent) {
		if got := tree.Object(w.bodies[0], "metadata"); got["uid"] != w.target.UID || got["resourceVersion"] == nil {
			t.Errorf("preconditions: %v", got)
		}
	},
}, {
	name:   "a list edited by two handlers in one round",
	object: `{"spec":{"ports":[{"name":"a","x":1}]}}`,
	plan:   editing(appending(object("name", "b"), "spec", "ports"), appending(object("name", "c"), "spec", "ports")),
	newest: true, requests: []string{"merge"}, want: `{"spec":{"ports":[{"name":"a","x":1},{"name":"b"},{"name":"c"}]}}`,
}, {
	name:   "a list of an object that has moved on waits for the next round",
	object: `{"spec":{"ports":[{"name":"a","x":1}]}}`,
	stale:  func(w *world) { w.edit(`{"spec":{"ports":[{"name":"z"},{"name":"a","x":2}]}}`) },
	plan:   editing(appending(object("name", "b"), "spec", "ports")),
	left:   true, requests: []string{"merge"}, want: `{"spec":{"ports":[{"name":"z"},{"name":"a","x":2}]}}`,
	check: func(t *testing.T, w *world, sent Sent) {
		newest, _ := tree.Encode(w.get())
		again, err := Send(t.Context(), w, w.target, newest, sent.Left)
		if err != nil || again.Left != nil || again.Newest == nil {
			t.Errorf("the next round: %+v, %v", again, err)
		}
		want := w.parse(`{"l":[{"name":"z"},{"name":"a","x":2},{"name":"b"}]}`)["l"]
		if diff := cmp.Diff(want, tree.Object(w.get(), "spec")["ports"]); diff != "" {
			t.Errorf("after the next round (-want +got):\n%s", diff)
		}
	},
}, {
	name:   "a list in the status of an object that has moved on",
	object: `{}`, status: `{"status":{"conditions":[{"type":"A","x":1}]}}`,
	stale:  func(w *world) { w.editStatus(`{"status":{"conditions":[{"type":"A","x":2},{"type":"Z"}]}}`) },
	plan:   editing(appending(object("type", "B"), "status", "conditions")),
	newest: true, requests: []string{"merge status", "merge", "merge status"},
	want: `{"status":{"conditions":[{"type":"A","x":2},{"type":"Z"},{"type":"B"}]}}`,
}, {
	name:   "a list in the status where it is not apart",
	object: `{"status":{"conditions":[{"type":"A","x":1}]}}`, resource: plains,
	stale: func(w *world) { w.edit(`{"status":{"conditions":[]}}`) },
	plan:  editing(appending(object("type", "B"), "status", "conditions")),
	left:  true, requests: []string{"merge"}, want: `{"status":{"conditions":[]}}`,
}, {
	name:   "a finalizer, the first",
	object: `{}`,
	plan:   func(map[string]any) *Plan { return &Plan{AddFinalizers: []string{ours}} },
	newest: true, requests: []string{"json"}, want: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`,
}, {
	name:   "a finalizer, beside others that were put meanwhile",
	object: `{}`, stale: func(w *world) { w.edit(`{"metadata":{"finalizers":["kopf.dev/other"]}}`) },
	plan:   func(map[string]any) *Plan { return &Plan{AddFinalizers: []string{ours}} },
	newest: true, requests: []string{"json", "merge", "json"}, want: `{"metadata":{"finalizers":["kopf.dev/other","kopf.dev/ours"]}}`,
}, {
	name:   "a finalizer, beside another, in spite of unrelated changes",
	object: `{"metadata":{"finalizers":["kopf.dev/other"]}}`, stale: func(w *world) { w.edit(`{"spec":{"size":5}}`) },
	plan:   func(map[string]any) *Plan { return &Plan{AddFinalizers: []string{ours}} },
	newest: true, requests: []string{"json"}, want: `{"metadata":{"finalizers":["kopf.dev/other","kopf.dev/ours"]}}`,
}, {
	name:   "a finalizer for an object that is being deleted",
	object: `{"metadata":{"finalizers":["kopf.dev/other"]}}`, ready: func(w *world) { w.delete() },
	plan: func(map[string]any) *Plan { return &Plan{AddFinalizers: []string{ours}} },
	want: `{"metadata":{"finalizers":["kopf.dev/other"]}}`,
}, {
	name:   "a finalizer for an object that is being deleted since",
	object: `{"metadata":{"finalizers":["kopf.dev/other"]}}`, stale: func(w *world) { w.delete() },
	plan:   func(map[string]any) *Plan { return &Plan{AddFinalizers: []string{ours}} },
	newest: true, requests: []string{"json", "merge"}, want: `{"metadata":{"finalizers":["kopf.dev/other"]}}`,
}, {
	name:   "the only finalizer taken: the list goes with it",
	object: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`,
	plan:   func(map[string]any) *Plan { return &Plan{RemoveFinalizers: []string{ours}} },
	newest: true, requests: []string{"json"}, want: `{}`,
	check: func(t *testing.T, w *world, _ Sent) {
		if list, ok := tree.Get(w.get(), "metadata", "finalizers"); ok {
			t.Errorf("there is a list: %v", list)
		}
	},
}, {
	name:   "a finalizer taken from among others, in spite of unrelated changes",
	object: `{"metadata":{"finalizers":["kopf.dev/a","kopf.dev/ours","kopf.dev/b"]}}`, stale: func(w *world) { w.edit(`{"spec":{"size":5}}`) },
	plan:   func(map[string]any) *Plan { return &Plan{RemoveFinalizers: []string{ours}} },
	newest: true, requests: []string{"json"}, want: `{"metadata":{"finalizers":["kopf.dev/a","kopf.dev/b"]}}`,
}, {
	name:   "a finalizer taken whose place has changed",
	object: `{"metadata":{"finalizers":["kopf.dev/a","kopf.dev/ours","kopf.dev/b"]}}`,
	stale:  func(w *world) { w.edit(`{"metadata":{"finalizers":["kopf.dev/ours","kopf.dev/b"]}}`) },
	plan:   func(map[string]any) *Plan { return &Plan{RemoveFinalizers: []string{ours}} },
	newest: true, requests: []string{"json", "merge", "json"}, want: `{"metadata":{"finalizers":["kopf.dev/b"]}}`,
}, {
	name:   "a finalizer taken that another has taken meanwhile",
	object: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`, stale: func(w *world) { w.edit(`{"metadata":{"finalizers":null}}`) },
	plan:   func(map[string]any) *Plan { return &Plan{RemoveFinalizers: []string{ours}} },
	newest: true, requests: []string{"json", "merge"}, want: `{}`,
}, {
	name:   "finalizers put and taken",
	object: `{"metadata":{"finalizers":["kopf.dev/a","kopf.dev/b"]}}`,
	plan: func(map[string]any) *Plan {
		return &Plan{AddFinalizers: []string{ours}, RemoveFinalizers: []string{"kopf.dev/a", "kopf.dev/b"}}
	},
	newest: true, requests: []string{"json"}, want: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`,
}, {
	name:   "released",
	object: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`, ready: func(w *world) { w.delete() },
	plan:     func(map[string]any) *Plan { return &Plan{RemoveFinalizers: []string{ours}} },
	released: true, requests: []string{"json"},
}, {
	name:   "released after the last words",
	object: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`, ready: func(w *world) { w.delete() },
	plan: func(map[string]any) *Plan {
		p := merging(map[string]any{"metadata": object("annotations", object("a", "b")), "status": object("phase", "A")})(nil)
		p.RemoveFinalizers = []string{ours}
		return p
	},
	released: true, newest: true, requests: []string{"merge", "merge status", "json"},
	check: func(t *testing.T, w *world, sent Sent) {
		if got := w.parse(string(sent.Newest)); tree.String(got, "status", "phase") != "A" || !slices.Contains(finalizers(got), ours) {
			t.Errorf("newest is not the state before the release: %s", sent.Newest)
		}
	},
}, {
	name:   "released in spite of a change meanwhile",
	object: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`, ready: func(w *world) { w.delete() },
	stale:    func(w *world) { w.edit(`{"spec":{"size":5}}`) },
	plan:     func(map[string]any) *Plan { return &Plan{RemoveFinalizers: []string{ours}} },
	released: true, requests: []string{"json"},
}, {
	name:   "released by the author's merge patch",
	object: `{"metadata":{"finalizers":["kopf.dev/ours"]}}`, ready: func(w *world) { w.delete() },
	plan:     merging(map[string]any{"metadata": object("finalizers", nil), "status": object("phase", "A")}),
	released: true, requests: []string{"merge"},
}, {
	name:   "not released while others hold it",
	object: `{"metadata":{"finalizers":["kopf.dev/ours","kopf.dev/other"]}}`, ready: func(w *world) { w.delete() },
	plan:   func(map[string]any) *Plan { return &Plan{RemoveFinalizers: []string{ours}} },
	newest: true, requests: []string{"json"}, want: `{"metadata":{"finalizers":["kopf.dev/other"]}}`,
}, {
	name:   "a function, with integers beyond 2^53 beside and in it",
	object: `{"spec":{"size":1,"list":[9007199254740993,{"a/b~c":9007199254740993}]}}`,
	plan: calling(func(m map[string]any) error {
		list := tree.Object(m, "spec")["list"].([]any)
		list[1].(map[string]any)["d"] = int64(9007199254740995)
		tree.Set(m, append(list, int(9007199254740997), []string{"e"}), "spec", "list")
		return nil
	}),
	newest: true, requests: []string{"json"},
	want: `{"spec":{"list":[9007199254740993,{"a/b~c":9007199254740993,"d":9007199254740995},9007199254740997,["e"]]}}`,
}, {
	name:   "functions of the object and of the status",
	object: `{"spec":{"size":1}}`,
	plan:   calling(setting(int64(2), "spec", "size"), setting("A", "status", "phase")),
	newest: true, requests: []string{"json", "json status"}, want: `{"spec":{"size":2},"status":{"phase":"A"}}`,
}, {
	name:   "functions where the status is not apart",
	object: `{"spec":{"size":1}}`, resource: plains,
	plan:   calling(setting(int64(2), "spec", "size"), setting("A", "status", "phase")),
	newest: true, requests: []string{"json"}, want: `{"spec":{"size":2},"status":{"phase":"A"}}`,
}, {
	name:   "a function sees what the merge patches have written",
	object: `{"spec":{"size":1}}`,
	plan: func(map[string]any) *Plan {
		p := merging(map[string]any{"spec": object("size", int64(2)), "status": object("count", int64(3))})(nil)
		p.Funcs = append(p.Funcs, func(m map[string]any) error {
			count := tree.Object(m, "status")["count"].(int64)
			tree.Set(m, tree.Object(m, "spec")["size"].(int64)+count, "spec", "sum")
			return nil
		})
		return p
	},
	newest: true, requests: []string{"merge", "merge status", "json"}, want: `{"spec":{"sum":5}}`,
}, {
	name:   "a function is called again for the newest state",
	object: `{"spec":{"size":1}}`, stale: func(w *world) { w.edit(`{"spec":{"size":10}}`) },
	plan: calling(func(m map[string]any) error {
		tree.Set(m, tree.Object(m, "spec")["size"].(int64)+1, "spec", "size")
		return nil
	}),
	newest: true, requests: []string{"json", "merge", "json"}, want: `{"spec":{"size":11}}`,
}, {
	name:   "a function on an object that keeps moving",
	object: `{"spec":{"size":1}}`, stale: func(w *world) { w.edit(`{"spec":{"size":10}}`) },
	during: map[int]func(*world){
		3: func(w *world) { w.edit(`{"spec":{"size":20}}`) },
		5: func(w *world) { w.edit(`{"spec":{"size":30}}`) },
	},
	plan:   calling(setting("x", "spec", "color")),
	newest: true, left: true, requests: []string{"json", "merge", "json", "merge", "json"}, want: `{"spec":{"size":30}}`,
	check: func(t *testing.T, w *world, sent Sent) {
		newest, _ := tree.Encode(w.get())
		if again, err := Send(t.Context(), w, w.target, newest, sent.Left); err != nil || again.Left != nil {
			t.Errorf("the next round: %+v, %v", again, err)
		}
		if got := tree.String(w.get(), "spec", "color"); got != "x" {
			t.Errorf("the color is %q", got)
		}
	},
}, {
	name:   "a function and a finalizer in one request",
	object: `{"metadata":{"finalizers":["kopf.dev/a"]},"spec":{"size":1}}`,
	plan: func(map[string]any) *Plan {
		return &Plan{AddFinalizers: []string{ours}, RemoveFinalizers: []string{"kopf.dev/a"},
			Funcs: []func(map[string]any) error{setting(int64(2), "spec", "size")}}
	},
	newest: true, requests: []string{"json"}, want: `{"metadata":{"finalizers":["kopf.dev/ours"]},"spec":{"size":2}}`,
}, {
	name:   "a function and the last finalizer in one request",
	object: `{"metadata":{"finalizers":["kopf.dev/ours"]},"spec":{"size":1}}`, ready: func(w *world) { w.delete() },
	plan: func(map[string]any) *Plan {
		return &Plan{RemoveFinalizers: []string{ours}, Funcs: []func(map[string]any) error{setting(int64(2), "spec", "size")}}
	},
	released: true, requests: []string{"json"},
}, {
	name:   "a function that fails is dropped, with what it did",
	object: `{"spec":{"size":1}}`,
	plan: func(map[string]any) *Plan {
		return &Plan{AddFinalizers: []string{ours}, Funcs: []func(map[string]any) error{
			func(m map[string]any) error { tree.Set(m, "half", "spec", "done"); return errors.New("oh") },
			func(map[string]any) error { panic("ouch") },
			setting(func() {}, "spec", "func"),
			setting(int64(2), "spec", "size"),
		}}
	},
	newest: true, failed: true, requests: []string{"json"},
	want: `{"metadata":{"finalizers":["kopf.dev/ours"]},"spec":{"size":2}}`,
	check: func(t *testing.T, w *world, _ Sent) {
		if done, ok := tree.Get(w.get(), "spec", "done"); ok {
			t.Errorf("half of the work is there: %v", done)
		}
	},
}, {
	name:   "refused: the object",
	object: `{"spec":{"size":1}}`,
	plan: func(map[string]any) *Plan {
		p := merging(map[string]any{"spec": object("size", "big"), "status": object("phase", "A")})(nil)
		p.AddFinalizers = []string{ours}
		return p
	},
	rejected: "the object", left: true, requests: []string{"merge"}, want: `{"spec":{"size":1}}`,
	check: func(t *testing.T, _ *world, sent Sent) {
		want := &Plan{Status: object("status", object("phase", "A")), AddFinalizers: []string{ours}}
		if diff := cmp.Diff(want, sent.Left); diff != "" {
			t.Errorf("left (-want +got):\n%s", diff)
		}
	},
}, {
	name:   "refused: a function",
	object: `{"spec":{"size":1}}`,
	plan:   calling(setting("big", "spec", "size")),
	newest: true, rejected: "functions and finalizers", requests: []string{"json", "merge"}, want: `{"spec":{"size":1}}`,
}}

// run plays a scenario on an API server.
func (c scenario) run(t *testing.T, cfg *rest.Config, number int) {
	resource := c.resource
	if resource.Plural == "" {
		resource = widgets
	}
	w := newWorld(t, cfg, Target{Resource: resource, Namespace: "default", Name: "s" + strconv.Itoa(number)})
	newest := w.create(c.object)
	w.target.UID = tree.String(w.parse(string(newest)), "metadata", "uid")
	if c.status != "" {
		newest = w.editStatus(c.status)
	}
	if c.ready != nil {
		c.ready(w)
		newest, _ = tree.Encode(w.get())
	}
	if c.stale != nil {
		c.stale(w)
	}
	w.during = func(request int) {
		if during := c.during[request]; during != nil {
			during(w)
		}
	}
	sent, err := Send(t.Context(), w, w.target, newest, c.plan(w.parse(string(newest))))

	if diff := cmp.Diff(c.requests, w.requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if sent.Requests != len(w.requests) {
		t.Errorf("%d requests counted, %d made", sent.Requests, len(w.requests))
	}
	var rejected *RejectedError
	if errors.As(err, &rejected) {
		if rejected.Part != c.rejected {
			t.Errorf("rejected: %v, want %q", err, c.rejected)
		}
	} else if c.rejected != "" || c.failed != (err != nil) {
		t.Errorf("error: %v", err)
	}
	if sent.Gone != c.gone || sent.Released != c.released || (sent.Newest != nil) != c.newest || (sent.Left != nil) != c.left {
		t.Errorf("gone %v, released %v, newest %s, left %+v", sent.Gone, sent.Released, sent.Newest, sent.Left)
	}
	if diff := cmp.Diff(c.pruned, sent.Pruned); diff != "" {
		t.Errorf("pruned (-want +got):\n%s", diff)
	}
	got := w.get()
	if c.want == "" {
		if got != nil {
			t.Errorf("the object is still there: %v", got)
		}
	} else if want := w.parse(c.want); got == nil || !has(got, want) {
		t.Errorf("the object is %v, want %v", got, want)
	}
	if c.newest && !c.released && !c.left && !tree.Equal(got, w.parse(string(sent.Newest))) {
		t.Errorf("newest is %s, the object is %v", sent.Newest, got)
	}
	if c.check != nil {
		c.check(t, w, sent)
	}
}

// has tells whether an object has all that is wanted; lists must be equal.
func has(got, want any) bool {
	members, ok := want.(map[string]any)
	if !ok {
		return tree.Equal(got, want)
	}
	object, ok := got.(map[string]any)
	if !ok {
		return len(members) == 0
	}
	for name, v := range members {
		if !has(object[name], v) {
			return false
		}
	}
	return true
}

func TestSendOnDouble(t *testing.T) {
	cfg := doubleConfig(t)
	for i, c := range scenarios {
		t.Run(c.name, func(t *testing.T) { c.run(t, cfg, i) })
	}
}
