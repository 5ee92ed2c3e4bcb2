package reactor

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// What the server refuses of that which handlers want costs them, not the progress and not the finalizer.
func TestTheServerRefuses(t *testing.T) {
	patched := func(set func(*kopf.Patch)) handling.Func {
		return func(ctx, *handling.Attempt) handling.Outcome {
			p := new(kopf.Patch)
			set(p)
			return handling.Outcome{Patch: p, Result: kopf.Raw(`"done"`)}
		}
	}
	for name, set := range map[string]func(*kopf.Patch){
		"the object": func(p *kopf.Patch) { p.Set("large", "spec", "size") },
		"the status": func(p *kopf.Patch) { p.Set("large", "status", "size") },
		"a function": func(p *kopf.Patch) {
			p.Func(func(o map[string]any) error { tree.Set(o, "large", "spec", "size"); return nil })
		},
		"a failure": func(p *kopf.Patch) { p.Func(func(o map[string]any) error { return errNotYet }) },
		"everything": func(p *kopf.Patch) {
			p.Set("large", "spec", "size")
			p.Set("large", "status", "size")
			p.Func(func(o map[string]any) error { tree.Set(o, "large", "spec", "size"); return nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				h := on(progress.Create|progress.Update, "h", patched(set))
				h.Result = "h"
				d := on(progress.Delete, "d", patched(set))
				w := newWorld(t, h, d, on(progress.Create, "z", failing(inMinute)))
				w.server.Validate = func(object map[string]any) (string, string) {
					for _, part := range []string{"spec", "status"} {
						if size, _ := tree.Get(object, part, "size"); size == "large" {
							return part + ".size", "must be an integer"
						}
					}
					return "", ""
				}
				w.start()
				w.create(`{"spec":{"x":1}}`)
				synctest.Wait()
				if got := w.annotations(); !strings.Contains(got, "z") || strings.Contains(got, "last") {
					t.Errorf("annotations %s", got)
				}
				if got, _ := tree.Get(w.object(), "status", "h"); got != "done" && name != "the status" && name != "everything" {
					t.Errorf("the result is lost, too: %v", got)
				}
				if name == "the status" {
					expect(t, "requests", w.requested(), "json", "merge", "merge status")
				}
				time.Sleep(time.Minute)
				w.atRest()
				expect(t, "calls", w.called(), `create h#0 {"x":1}`, `create z#0 {"x":1}`, `create z#1 {"x":1}`)
				w.delete()
				time.Sleep(time.Minute)
				w.atRest()
				expect(t, "calls", w.called(), `delete d#0 {"x":1}`)
				if w.object() != nil {
					t.Error("the object is not released")
				}
				if w.logged("could not be handled") {
					t.Error("it is said that the object will be tried again")
				}
				w.stop()
			})
		})
	}
}

// If the server refuses even the progress, the handlers are not called again until it takes it.
func TestTheServerRefusesProgress(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create|progress.Update, "h", fine))
		var thawed atomic.Bool
		w.server.Validate = func(object map[string]any) (string, string) {
			if _, ok := tree.Get(object, "metadata", "annotations"); ok && !thawed.Load() {
				return "metadata", "a policy forbids it"
			}
			return "", ""
		}
		w.start()
		w.create(`{"spec":{"x":1}}`)
		time.Sleep(time.Minute)
		w.edit(`{"spec":{"x":2}}`)
		time.Sleep(time.Minute)
		expect(t, "calls", w.called(), `create h#0 {"x":1}`)
		thawed.Store(true)
		time.Sleep(2 * time.Minute)
		w.atRest()
		expect(t, "calls", w.called(), `update h#0 {"x":2}`)
		w.stop()
	})
}

// An object that is too large to be remembered is refused before handlers are called for it, and released when it is deleted.
func TestAnObjectIsTooLarge(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create|progress.Update, "h", fine), on(progress.Delete, "d", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.called()
		w.requested()
		w.edit(`{"spec":{"y":"` + strings.Repeat("x", 260<<10) + `"}}`)
		synctest.Wait()
		expect(t, "requests", w.requested())
		if !w.logged("too large") {
			t.Error("nothing is logged")
		}
		w.edit(`{"spec":{"y":"` + strings.Repeat("x", 200<<10) + `"}}`)
		w.atRest()
		if calls := w.called(); len(calls) != 1 {
			t.Errorf("%d calls", len(calls))
		}
		w.edit(`{"spec":{"y":"` + strings.Repeat("x", 260<<10) + `"}}`)
		w.delete()
		w.atRest()
		if w.object() != nil {
			t.Error("the object is not released")
		}
		w.stop()
	})
}
