package objects

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

// sized makes a handler that decodes objects into Subject.
func (w *world) sized(id string, on operator.Kind) operator.Handler {
	return operator.Handler{ID: id, On: on, Run: operator.Bind(func(_ context.Context, c *operator.Call[Subject]) (any, error) {
		w.note("%s %s %d", c.Name(), id, c.Object().Spec.Size)
		return nil, nil
	})}
}

// TestDoesNotDecode has an object whose spec is not of the handlers' type. They are given up for it until it changes, and the error says
// which field it is.
func TestDoesNotDecode(t *testing.T) {
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{w.sized("made", operator.OnCreate), w.plain("untyped", operator.OnCreate), w.sized("changed", operator.OnUpdate)}
	})
	w.create("wrong", "", `"spec": {"size": "large"}`)
	w.untilHandled("wrong")
	w.UntilLines(1, "level=ERROR", "wrong", "made", "size")
	w.untilAnother("other")
	w.patch("wrong", `{"spec": {"size": 3}}`)
	w.untilHandled("wrong")
	if diff := cmp.Diff([]string{"wrong untyped [+ : {\"spec\":{\"size\":\"large\"}}]", "wrong changed 3"}, w.noted("wrong")); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	w.Stop()
}

// TestOverTheLimit has an object whose last handled state would not fit into the annotations. It is refused with an error that names it,
// before handlers are called for what could not be remembered; made smaller, it is handled.
func TestOverTheLimit(t *testing.T) {
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{w.sized("made", operator.OnCreate)}
	})
	w.create("huge", "", `"spec": {"size": 1, "text": "`+strings.Repeat("0123456789abcdef", 300<<10/16)+`"}`)
	w.UntilLines(1, "level=ERROR", "huge", "too large", "262144")
	w.untilAnother("other")
	if calls := w.noted("huge"); len(calls) > 0 {
		t.Errorf("%q were called", calls)
	}
	w.patch("huge", `{"spec": {"size": 2, "text": null}}`)
	w.untilHandled("huge")
	if diff := cmp.Diff([]string{"huge made 2"}, w.noted("huge")); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	w.Stop()
}

// TestBrokenAnnotations has objects whose annotations of ours are no JSON: they count as new, and a warning says what is wrong.
func TestBrokenAnnotations(t *testing.T) {
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{w.plain("made", operator.OnCreate)}
	})
	w.create("base", `"annotations": {"`+lastHandled+`": "{"}`, `"spec": {"value": 1}`)
	w.create("record", `"annotations": {"`+prefix+`made": "{\"retries\":"}`, `"spec": {"value": 1}`)
	w.create("list", `"annotations": {"`+prefix+`made": "[]", "`+lastHandled+`": "[1]"}`, `"spec": {"value": 1}`)
	for _, name := range []string{"base", "record", "list"} {
		w.until(name, "it is handled", func(object map[string]any) bool {
			text, _ := annotations(object)[lastHandled].(string)
			var handled map[string]any
			return len(progress(object)) == 0 && json.Unmarshal([]byte(text), &handled) == nil && same(handled["spec"], object["spec"])
		})
		w.UntilLines(1, "level=WARN", name)
		if calls := w.noted(name); len(calls) != 1 {
			t.Errorf("%s: the handler was called %d times", name, len(calls))
		}
	}
	w.untilAnother("other")
	w.Stop()
}

// TestPrunedStatus has a kind whose schema does not know the results: the object is handled, and a warning says what the server drops.
func TestPrunedStatus(t *testing.T) {
	w := newWorld(t, harness.Strict, func(w *world) []operator.Handler {
		result := func(_ context.Context, c *operator.Call[operator.None]) (any, error) {
			w.note("%s", c.Name())
			return map[string]int{"value": 1}, nil
		}
		return []operator.Handler{
			{ID: "made", On: operator.OnCreate, Run: operator.Bind(result)},
			{ID: "known", On: operator.OnCreate, Run: operator.Bind(func(context.Context, *operator.Call[operator.None]) (any, error) {
				return "kept", nil
			})},
		}
	})
	w.create("one", "", `"spec": {"value": 1}`)
	w.create("two", "", `"spec": {"value": 1}`)
	for _, name := range []string{"one", "two"} {
		object := w.until(name, "its known result is there", func(object map[string]any) bool {
			return same(object["status"], map[string]any{"known": "kept"})
		})
		if got := base(t, object); got == nil {
			t.Errorf("%s has no last handled state", name)
		}
		if calls := w.noted(name); len(calls) != 1 {
			t.Errorf("%s: the handler was called %d times", name, len(calls))
		}
	}
	w.UntilLines(1, "level=WARN", "status.made")
	w.Stop()
}

// TestNoStatusSubresource has a kind whose status is a part of the object like any other. It is no part of what counts as a change.
func TestNoStatusSubresource(t *testing.T) {
	w := newWorld(t, harness.Bare, func(w *world) []operator.Handler {
		return []operator.Handler{
			{ID: "made", On: operator.OnCreate, Run: operator.Bind(func(_ context.Context, c *operator.Call[operator.None]) (any, error) {
				return map[string]any{"is": c.Name()}, nil
			})},
			w.plain("changed", operator.OnUpdate),
		}
	})
	w.create("one", "", `"spec": {"value": 1}, "status": {"before": true}`)
	object := w.untilHandled("one")
	if want := map[string]any{"before": true, "made": map[string]any{"is": "one"}}; !same(want, object["status"]) {
		t.Errorf("the status is %v", object["status"])
	}
	w.patch("one", `{"status": {"before": false}}`)
	w.untilAnother("other")
	if calls := w.noted("one"); len(calls) != 0 {
		t.Errorf("a change of the status led to %q", calls)
	}
	w.Stop()
}

// TestRefusedPatch has a handler that writes what the server does not accept, to one object of two.
func TestRefusedPatch(t *testing.T) {
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{{ID: "made", On: operator.OnCreate, Run: operator.Bind(
			func(_ context.Context, c *operator.Call[operator.None]) (any, error) {
				w.note("%s", c.Name())
				if c.Name() == "bad" {
					c.Patch().Set("not a label!", "metadata", "labels", "example.com/bad")
				}
				return nil, nil
			})}}
	})
	w.create("bad", "", `"spec": {"value": 1}`)
	w.create("good", "", `"spec": {"value": 1}`)
	w.untilHandled("good")
	w.UntilLines(1, "level=ERROR", "bad", "not a label!")
	w.untilHandled("bad")
	if diff := cmp.Diff([]string{"bad"}, w.noted("bad")); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	w.Stop()
}

// TestRefusedEdit has a handler that edits what nobody may edit.
func TestRefusedEdit(t *testing.T) {
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{{ID: "made", On: operator.OnCreate, Run: operator.Bind(
			func(_ context.Context, c *operator.Call[Subject]) (any, error) {
				w.note("%s", c.Name())
				if c.Name() == "bad" {
					c.Edit().UID = "another"
				}
				return nil, nil
			})}}
	})
	w.create("bad", "", `"spec": {"size": 1}`)
	w.create("good", "", `"spec": {"size": 1}`)
	w.untilHandled("good")
	w.UntilLines(1, "level=ERROR", "bad", "metadata.uid")
	w.untilAnother("other")
	w.Stop()
}

// TestPanic has a handler that panics for one object.
func TestPanic(t *testing.T) {
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{{ID: "made", On: operator.OnCreate, Policy: kopf.Policy{Retries: 1}, Run: operator.Bind(
			func(_ context.Context, c *operator.Call[operator.None]) (any, error) {
				if c.Name() == "bad" {
					panic("what a pity")
				}
				return nil, nil
			})}}
	})
	w.create("bad", "", `"spec": {"size": 1}`)
	w.create("good", "", `"spec": {"size": 1}`)
	w.untilHandled("good")
	w.UntilLines(1, "level=ERROR", "bad", "what a pity")
	w.untilHandled("bad")
	w.Stop()
}
