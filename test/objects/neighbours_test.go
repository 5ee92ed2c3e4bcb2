package objects

import (
	"context"
	"testing"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

// TestNamesake deletes an object while its handler runs, and creates another one of that name. What the handler returns is for the first,
// which is gone; the second must not get it.
func TestNamesake(t *testing.T) {
	running, release := make(chan string, 2), make(chan struct{})
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{{ID: "made", On: operator.OnCreate, Run: operator.Bind(
			func(ctx context.Context, c *operator.Call[operator.Spec[map[string]int]]) (any, error) {
				running <- c.UID()
				if c.Object().Spec["number"] == 1 {
					select {
					case <-release:
					case <-ctx.Done():
					}
				}
				c.Patch().Set(c.UID(), "spec", "uid")
				return c.UID(), nil
			})}}
	})
	w.create("one", "", `"spec": {"number": 1}`)
	first := <-running
	w.request("DELETE", "/one", "application/json", "")
	w.until("one", "it is gone", func(object map[string]any) bool { return object == nil })
	w.create("one", "", `"spec": {"number": 2}`)
	second := <-running
	close(release)
	if first == second {
		t.Fatal("the handler was called for the same object twice")
	}
	w.untilHandled("one")
	w.untilAnother("other") // the outcome of the first has come to nothing by now, or not to nothing
	object := w.until("one", "its result is there", func(object map[string]any) bool { return object["status"] != nil })
	if got := object["status"]; !same(got, map[string]any{"made": second}) {
		t.Errorf("the status is %v, for uid %s", got, second)
	}
	if got := object["spec"]; !same(got, map[string]any{"number": 2, "uid": second}) {
		t.Errorf("the spec is %v, for uid %s", got, second)
	}
	w.Stop()
}

// TestFeedsItself has a handler that changes what it is called for. It is slowed down, with an error that says so, and the other objects
// are handled meanwhile.
func TestFeedsItself(t *testing.T) {
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{
			{ID: "count", On: operator.OnUpdate, Field: []string{"spec", "size"}, Run: operator.BindChange(
				func(_ context.Context, c *operator.Call[Subject], _, _ kopf.Raw) (any, error) {
					w.note("%s", c.Name())
					c.Edit().Spec.Size++
					return nil, nil
				})},
		}
	})
	w.create("hungry", "", `"spec": {"size": 1}`)
	w.untilHandled("hungry")
	w.patch("hungry", `{"spec": {"size": 2}}`)
	w.UntilLines(1, "level=ERROR", "hungry", "own changes")
	calls := len(w.noted("hungry"))
	w.create("modest", "", `"spec": {"size": 1}`)
	w.untilHandled("modest")
	if calls > 20 {
		t.Errorf("the handler was called %d times at once", calls)
	}
	w.Stop()
}
