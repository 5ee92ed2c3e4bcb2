package objects

import (
	"context"
	"testing"

	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

// TestEditsKeepTheUnknown has a handler edit a typed copy of an object that has more than the type knows, beside, within and between what
// is edited, and numbers that do not fit into what JSON is usually decoded to. (A null member of an element is not kept when its list is
// edited: the API server takes such nulls out of merge patches.)
func TestEditsKeepTheUnknown(t *testing.T) {
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{{ID: "made", On: operator.OnCreate, Run: operator.Bind(
			func(_ context.Context, c *operator.Call[Subject]) (any, error) {
				s := c.Edit()
				s.Spec.Size++
				s.Spec.Items[1].Note = "edited"
				s.Spec.Items = append(s.Spec.Items[:0], s.Spec.Items[1], s.Spec.Items[2], Item{Name: "new"})
				s.Labels["ours"] = "yes"
				delete(s.Labels, "old")
				s.Status.Phase = "Ready"
				return nil, nil
			})}}
	})
	w.create("one", `"labels": {"old": "1", "other": "2"}`, `"spec": {
		"size": 1, "big": 9007199254740993, "ratio": 0.1, "any": {"n": 9007199254740993, "null": null},
		"unknown": {"n": 9007199254740993, "list": [1, null, {"x": null}]},
		"items": [
			{"name": "a", "unknown": 1},
			{"name": "b", "note": "old", "unknown": {"n": 9007199254740995, "list": [null]}},
			{"name": "c", "unknown": [null]}]}`)
	w.until("one", "its status is there", func(object map[string]any) bool { return object["status"] != nil })
	got := w.untilHandled("one")
	want := decode(t, `{
		"size": 2, "big": 9007199254740993, "ratio": 0.1, "any": {"n": 9007199254740993, "null": null},
		"unknown": {"n": 9007199254740993, "list": [1, null, {"x": null}]},
		"items": [
			{"name": "b", "note": "edited", "unknown": {"n": 9007199254740995, "list": [null]}},
			{"name": "c", "unknown": [null]},
			{"name": "new"}]}`)
	if !same(want, got["spec"]) {
		t.Errorf("the spec is %v, want %v", got["spec"], want)
	}
	labels := got["metadata"].(map[string]any)["labels"]
	if !same(labels, map[string]any{"other": "2", "ours": "yes"}) {
		t.Errorf("the labels are %v", labels)
	}
	if !same(got["status"], map[string]any{"phase": "Ready"}) {
		t.Errorf("the status is %v", got["status"])
	}
	w.Stop()
}
