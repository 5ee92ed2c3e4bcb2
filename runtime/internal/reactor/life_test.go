package reactor

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var (
	errNotYet = errors.New("not yet")
	inMinute  = kopf.Temporary(errNotYet, time.Minute)
)

// The whole life of an object, with the fewest requests, and none for what changes nothing.
func TestALife(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", failing(inMinute)), on(progress.Update, "u", fine), on(progress.Delete, "d", failing(inMinute)))
		w.start()
		began := time.Now()
		w.create(`{"spec":{"x":1}}`)
		synctest.Wait()
		expect(t, "requests of the first attempt", w.requested(), "json", "merge")
		time.Sleep(time.Minute)
		w.atRest()
		expect(t, "requests of the second attempt", w.requested(), "merge")
		w.edit(`{"spec":{"x":2}}`)
		w.atRest()
		expect(t, "requests of the update", w.requested(), "merge")
		w.editStatus(`{"status":{"seen":true}}`)
		w.edit(`{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}}}`)
		w.atRest()
		expect(t, "requests of nothing", w.requested())
		w.delete()
		synctest.Wait()
		time.Sleep(time.Minute)
		w.atRest()
		expect(t, "requests of the deletion", w.requested(), "merge", "json")
		expect(t, "calls", w.called(), `create c#0 {"x":1}`, `create c#1 {"x":1}`, `update u#0 {"x":2}`, `delete d#0 {"x":2}`, `delete d#1 {"x":2}`)
		if known, _ := w.reactor.Known(); known != 0 || w.object() != nil || time.Since(began) != 2*time.Minute {
			t.Errorf("%d known, %v, after %v", known, w.object(), time.Since(began))
		}
		w.stop()
	})
}

// While it is in progress, the kept state follows changes that mean nothing to the operator: the next attempt sees the newest one.
func TestARetrySeesTheNewestState(t *testing.T) {
	for _, budget := range []int{1 << 20, 0} {
		t.Run(fmt.Sprint(budget), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var seen []string
				h := on(progress.Create, "c", func(_ ctx, a *handling.Attempt) handling.Outcome {
					object, err := tree.DecodeObject(a.Object)
					seen = append(seen, string(encoded(object["status"])))
					if _, managed := tree.Get(object, "metadata", "managedFields"); managed || err != nil || object["kind"] != "Widget" {
						t.Errorf("the object is %s", a.Object)
					}
					if len(seen) == 1 {
						return handling.Outcome{Err: inMinute}
					}
					return handling.Outcome{}
				})
				w := newWorld(t, h)
				w.kept = budget
				w.create(`{"metadata":{"managedFields":[{"manager":"me"}]},"spec":{"x":1}}`)
				w.start() // finds it in a list, whose items do not say what they are
				synctest.Wait()
				w.editStatus(`{"status":{"n":2}}`)
				w.requested()
				time.Sleep(time.Minute)
				w.atRest()
				expect(t, "states", seen, "null", `{"n":2}`)
				requests := w.requested()
				if reads := count(requests, "read"); (reads == 0) != (budget > 0) {
					t.Errorf("requests %q", requests)
				}
				w.stop()
			})
		})
	}
}

// Objects at rest of which handlers keep a memo keep nothing else.
func TestMemosAtRest(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		type key struct{}
		n := 0
		h := on(progress.Create|progress.Update, "h", func(_ ctx, a *handling.Attempt) handling.Outcome {
			n = *a.Memos.Get(key{}, func() any { return new(int) }).(*int)
			*a.Memos.Get(key{}, nil).(*int)++
			return handling.Outcome{}
		})
		w := newWorld(t, h)
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.editStatus(`{"status":{"seen":true}}`)
		w.atRest()
		if own := w.work(); own == nil || own.raw != nil || !reflect.ValueOf(own.memory).IsZero() || len(w.requested()) != 1 {
			t.Errorf("work %+v", own)
		}
		w.edit(`{"spec":{"x":2}}`)
		w.atRest()
		if n != 1 {
			t.Errorf("the memo has %d", n)
		}
		w.delete()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		if n != 0 {
			t.Errorf("a namesake has the memo, %d", n)
		}
		w.stop()
	})
}

// A deletion during a turn ends the turn after the running handler, and one during a pause ends the pause. Nothing is written.
func TestADeletionAtAnyTime(t *testing.T) {
	t.Run("during a turn", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t)
			w.handlers.Handlers = []handling.Handler{on(progress.Create, "one", w.noted(slow(func() { w.delete() }))), on(progress.Create, "two", w.noted(fine))}
			w.start()
			w.create(`{"spec":{"x":1}}`)
			w.atRest()
			expect(t, "calls", w.called(), `create one#0 {"x":1}`)
			expect(t, "requests", w.requested(), "merge")
			if known, _ := w.reactor.Known(); known != 0 {
				t.Error("the object is remembered")
			}
			w.stop()
		})
	})
	t.Run("during a pause", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t, on(progress.Create, "c", failing(inMinute)))
			w.start()
			w.create(`{"spec":{"x":1}}`)
			synctest.Wait()
			own := w.work()
			w.delete()
			w.atRest()
			if own.timer.Stop() {
				t.Error("its timer runs on")
			}
			time.Sleep(time.Hour)
			w.atRest()
			expect(t, "calls", w.called(), `create c#0 {"x":1}`)
			expect(t, "requests", w.requested(), "merge")
			w.stop()
		})
	})
	t.Run("while it waits for its turn", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			block := make(chan struct{})
			w := newWorld(t, on(progress.Create, "c", slow(func() { <-block })))
			w.boot()
			w.reactor.Turns.limit = 1
			w.list()
			w.create(`{"metadata":{"name":"b"}}`)
			w.create(`{"spec":{"x":1}}`)
			w.delete()
			close(block)
			w.atRest()
			expect(t, "calls", w.called(), `create c#0 null`)
			w.stop()
		})
	})
	t.Run("and it comes back while a turn is on", func(t *testing.T) {
		// As an object that leaves the selection of a stream and enters it again: the turns must not overlap.
		inBubble(t, func(t *testing.T) {
			var at int
			var state []byte
			w := newWorld(t)
			w.handlers.Handlers = []handling.Handler{on(progress.Create, "c", w.noted(slow(func() {
				if at++; at > 1 {
					t.Error("two turns at a time")
				}
				w.event("DELETED", state)
				w.event("ADDED", state)
				time.Sleep(time.Second)
				at--
			})))}
			w.late = true
			w.start()
			state = w.create(`{"spec":{"x":1}}`)
			w.event("ADDED", state)
			time.Sleep(time.Minute)
			w.deliver()
			w.atRest()
			if known, _ := w.reactor.Known(); known != 1 || w.annotations() != "last-handled-configuration" {
				t.Errorf("known %d, annotations %s", known, w.annotations())
			}
			w.stop()
		})
	})
}

// What a list does not name is gone, with its timers; what is deleted while the list is under way does not come back.
func TestWhatVanishedIsForgotten(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", func(_ ctx, a *handling.Attempt) handling.Outcome {
			if a.Name == "a" {
				return handling.Outcome{Err: inMinute}
			}
			return handling.Outcome{}
		}))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.create(`{"metadata":{"name":"b"}}`)
		w.create(`{"metadata":{"name":"c"}}`)
		synctest.Wait()
		w.late = true
		w.delete()
		w.called()
		w.requested()

		w.reactor.Restart()
		w.people("DELETE", path("b", ""), "")
		w.deliver()
		o, _ := w.rules.Object(encoded(w.server.Object(path("c", ""))))
		_ = w.listed(&o, nil)
		if !w.reactor.Synced("1000") {
			t.Error("the list is not trusted")
		}
		time.Sleep(time.Hour)
		w.atRest()
		if known, _ := w.reactor.Known(); known != 1 {
			t.Errorf("%d are known", known)
		}
		expect(t, "calls", w.called())
		expect(t, "requests", w.requested())
		w.stop()
	})
}

// A list that fails halfway is begun again, and forgets nothing.
func TestAListFailsHalfway(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Resume, "r", fine))
		w.create(`{"spec":{"x":1}}`)
		w.create(`{"metadata":{"name":"b"}}`)
		w.boot()
		w.reactor.Restart()
		o, _ := w.rules.Object(encoded(w.object()))
		_ = w.listed(&o, nil)
		synctest.Wait()
		w.list()
		w.atRest()
		if known, _ := w.reactor.Known(); known != 2 || len(w.called()) != 2 {
			t.Errorf("%d are known", known)
		}
		w.stop()
	})
}

// Handlers of resuming are called once in a process for what a list found, and not for what came later; also if their writing fails.
func TestResumingHappensOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		r := on(progress.Resume, "r", func(ctx, *handling.Attempt) handling.Outcome { return handling.Outcome{Result: kopf.Raw("1")} })
		r.Result = "r"
		w := newWorld(t, on(progress.Create, "c", fine), r)
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		expect(t, "calls", w.called(), `create c#0 {"x":1}`)
		w.stop()

		w.before = func(n int, _ string) error {
			if n == 2 {
				return errLost
			}
			return nil
		}
		w.start()
		time.Sleep(time.Minute)
		w.atRest()
		w.edit(`{"metadata":{"labels":{"a":"b"}}}`)
		w.list()
		w.atRest()
		expect(t, "calls", w.called(), `resume r#0 {"x":1}`)
		if got, _ := tree.Get(w.object(), "status", "r"); got != int64(1) {
			t.Errorf("the result is %v", got)
		}
		w.stop()
	})
}

// The server says that an object is gone, as it does while the definition of a resource is replaced. When a list names it, it is not.
func TestAnObjectIsNotGoneAfterAll(t *testing.T) {
	for name, come := range map[string]func(*world){
		"a list":        (*world).list,
		"a newer event": func(w *world) { w.edit(`{"metadata":{"finalizers":["example.com/other"]}}`) },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				w := newWorld(t, on(progress.Create, "c", fine))
				w.before = func(n int, _ string) error {
					if n == 1 {
						return apierrors.NewNotFound(schema.GroupResource{Resource: "widgets"}, "a")
					}
					return nil
				}
				w.start()
				w.create(`{"spec":{"x":1}}`)
				w.atRest()
				time.Sleep(time.Hour)
				expect(t, "requests", w.requested(), "merge")
				come(w)
				w.atRest()
				expect(t, "requests", w.requested(), "read", "merge")
				if w.annotations() != "last-handled-configuration" {
					t.Errorf("annotations %s", w.annotations())
				}
				w.stop()
			})
		})
	}
}

// The release was answered, and the event of the deletion never comes: the list without the object ends it.
func TestAReleasedObjectWhoseEndIsNotTold(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Delete, "d", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.late = true
		w.event("MODIFIED", w.delete())
		w.atRest()
		w.called()
		w.requested()
		w.list()
		w.atRest()
		if known, _ := w.reactor.Known(); known != 0 || len(w.called()) != 0 || len(w.requested()) != 0 {
			t.Errorf("%d are known", known)
		}
		w.stop()
	})
}

// The records of a deletion stay until the operator has let go of the object, even if others hold it: a process that is killed in between must
// not call the handlers again.
func TestADeletionIsRecordedUntilTheRelease(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Delete, "one", fine), on(progress.Delete, "two", failing(inMinute)))
		w.start()
		w.create(`{"metadata":{"finalizers":["example.com/other"]},"spec":{"x":1}}`)
		w.atRest()
		w.delete()
		synctest.Wait()
		w.befall(func(_ int, kind string) error {
			if kind == "json" {
				w.cut()
				return errLost
			}
			return nil
		})
		time.Sleep(time.Minute)
		synctest.Wait()
		w.kill()
		w.befall(func(int, string) error { return nil })
		w.called()
		w.start()
		w.atRest()
		for _, call := range w.called() {
			if strings.HasPrefix(call, "delete one") {
				t.Error(call)
			}
		}
		if finalizers, _ := tree.Get(w.object(), "metadata", "finalizers"); !tree.Equal(finalizers, []any{"example.com/other"}) {
			t.Errorf("finalizers %v", finalizers)
		}
		w.requested()
		w.edit(`{"metadata":{"labels":{"a":"b"}}}`) // it is none of our business any more
		w.atRest()
		expect(t, "requests", w.requested())
		w.edit(`{"metadata":{"finalizers":null}}`)
		if known, _ := w.reactor.Known(); known != 0 {
			t.Error("the object is remembered")
		}
		w.stop()
	})
}

// Errors outside of the handlers are tried again in the process, with pauses that grow until it goes well; news does not wait for them.
func TestErrorsAreTriedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create|progress.Update, "h", fine))
		// requests returns when there were requests for a change after which the server is forbidden for a while.
		requests := func(change func(), while time.Duration) string {
			began := time.Now()
			var at []time.Duration
			w.befall(func(int, string) error {
				w.mu.Lock()
				defer w.mu.Unlock()
				at = append(at, time.Since(began))
				if time.Since(began) < while {
					return apierrors.NewForbidden(schema.GroupResource{Resource: "widgets"}, "a", nil)
				}
				return nil
			})
			change()
			time.Sleep(time.Minute)
			w.atRest()
			w.mu.Lock()
			defer w.mu.Unlock()
			return fmt.Sprint(at)
		}
		w.start()
		for _, c := range []struct {
			change func()
			while  time.Duration
			want   string
		}{
			{func() { w.create(`{"spec":{"x":1}}`) }, 19 * time.Second, "[0s 1s 2s 4s 7s 12s 20s]"},
			{func() { w.edit(`{"spec":{"x":2}}`); time.Sleep(500 * time.Millisecond); w.edit(`{"spec":{"x":3}}`) }, 400 * time.Millisecond, "[0s 500ms 500ms]"},
			{func() { w.edit(`{"spec":{"x":4}}`) }, time.Millisecond, "[0s 1s]"},
		} {
			if got := requests(c.change, c.while); got != c.want {
				t.Errorf("requests at %s, not at %s", got, c.want)
			}
		}
		expect(t, "calls", w.called(), `create h#0 {"x":1}`, `update h#0 {"x":2}`, `update h#0 {"x":3}`, `update h#0 {"x":4}`)
		w.stop()
	})
}

// A filter that panics or fails is the trouble of one object, until that changes.
func TestAFilterFails(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		h := on(progress.Create|progress.Update, "h", fine)
		h.When = func(a *handling.Attempt) (bool, error) {
			if a.Labels["bad"] != "" {
				panic("oops")
			}
			return true, nil
		}
		w := newWorld(t, h)
		w.start()
		w.create(`{"metadata":{"labels":{"bad":"yes"}},"spec":{"x":1}}`)
		w.create(`{"metadata":{"name":"b"},"spec":{"x":2}}`)
		synctest.Wait()
		expect(t, "calls", w.called(), `create h#0 {"x":2}`)
		if !w.logged("panic: oops") {
			t.Error("nothing is logged")
		}
		w.edit(`{"metadata":{"labels":{"bad":null}}}`)
		w.atRest()
		expect(t, "calls", w.called(), `create h#0 {"x":1}`)
		w.stop()
	})
}

// A defect of the engine is the trouble of one object.
func TestAPanicOfTheEngine(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine))
		w.before = func(n int, _ string) error {
			if n == 1 {
				panic("oops")
			}
			return nil
		}
		w.start()
		w.create(`{"spec":{"x":1}}`)
		time.Sleep(time.Minute)
		w.atRest()
		if !w.logged("panic=oops") || w.annotations() != "last-handled-configuration" {
			t.Errorf("annotations %s", w.annotations())
		}
		w.stop()
	})
}

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

// An edit that relied on a list that is different by now is made again on the newest state, without calling the handler.
func TestAListHasChangedUnderAnEdit(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		h := on(progress.Create, "h", func(ctx, *handling.Attempt) handling.Outcome {
			return handling.Outcome{Edits: []edit.Edit{{Before: []byte(`{"spec":{"l":["a"]}}`), After: []byte(`{"spec":{"l":["a","c"]}}`)}}}
		})
		w := newWorld(t, h)
		w.before = func(n int, _ string) error {
			if n == 1 {
				w.edit(`{"spec":{"l":["a","b"]}}`)
			}
			return nil
		}
		w.start()
		w.create(`{"spec":{"l":["a"]}}`)
		w.atRest()
		if got := spec(encoded(w.object())); got != `{"l":["a","b","c"]}` && got != `{"l":["a","c","b"]}` {
			t.Errorf("spec %s", got)
		}
		expect(t, "calls", w.called(), `create h#0 {"l":["a"]}`)
		w.stop()
	})
}

// Without handlers that need it, nothing is stored, however often the object is looked at.
func TestNoBase(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Delete, "d", fine))
		w.boot()
		w.reactor.NoBase = true
		w.list()
		w.create(`{"spec":{"x":1}}`)
		w.edit(`{"spec":{"x":2}}`)
		w.atRest()
		expect(t, "requests", w.requested(), "json")
		if got := w.annotations(); got != "" {
			t.Errorf("annotations %s", got)
		}
		w.stop()
	})
}

// A process that stops lets the running handler finish, calls no other, and saves what was done.
func TestStopping(t *testing.T) {
	t.Run("during a turn", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t, on(progress.Create, "one", slow(func() { time.Sleep(5 * time.Second) })), on(progress.Create, "two", fine))
			w.start()
			w.create(`{"spec":{"x":1}}`)
			w.create(`{"metadata":{"name":"b"}}`)
			time.Sleep(time.Second)
			began := time.Now()
			w.stop()
			if d := time.Since(began); d != 4*time.Second {
				t.Errorf("it took %v", d)
			}
			w.called()
			w.start()
			time.Sleep(time.Minute)
			w.atRest()
			if calls := w.called(); len(calls) != 2 || count(calls, "create two#0") != 2 {
				t.Errorf("calls of the next process: %q", calls)
			}
			w.stop()
		})
	})
	t.Run("during a pause", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t, on(progress.Create, "c", failing(inMinute)))
			w.start()
			w.create(`{"spec":{"x":1}}`)
			synctest.Wait()
			w.stop()
			w.requested()
			runs := w.work().timer.Stop()
			w.edit(`{"spec":{"x":2}}`)
			time.Sleep(time.Hour)
			expect(t, "requests", w.requested())
			if w.budget.used.Load() != 0 || runs {
				t.Error("bytes are kept after the end, or a timer runs on")
			}
		})
	})
	t.Run("while it waits for its turn", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t, on(progress.Create, "c", slow(func() { time.Sleep(time.Minute) })))
			w.boot()
			w.turns.limit = 1
			w.list()
			for i := range 5 {
				w.create(fmt.Sprintf(`{"metadata":{"name":"n%d"}}`, i))
			}
			time.Sleep(time.Second)
			w.stop()
			if n := len(w.called()); n != 1 {
				t.Errorf("%d calls", n)
			}
		})
	})
	t.Run("while the server cannot be reached", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t, on(progress.Create, "c", slow(func() { time.Sleep(time.Second) })), on(progress.Update, "u", fine))
			w.before = func(n int, _ string) error {
				if n <= 2 {
					return errLost
				}
				return nil
			}
			w.start()
			w.create(`{"spec":{"x":1}}`)
			time.Sleep(500 * time.Millisecond)
			w.stop()
			expect(t, "requests", w.requested(), "merge", "merge", "merge")
			w.called()
			w.start()
			w.atRest()
			expect(t, "calls of the next process", w.called())
			w.stop()
		})
	})
	t.Run("with something unsent", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t, on(progress.Create, "c", fine))
			w.before = func(n int, _ string) error {
				if n < 5 {
					return errLost
				}
				return nil
			}
			w.start()
			w.create(`{"spec":{"x":1}}`)
			time.Sleep(6 * time.Second) // the next attempt is in a second
			w.stop()
			if w.annotations() != "last-handled-configuration" {
				t.Error("the progress is not saved")
			}
			expect(t, "calls", w.called(), `create c#0 {"x":1}`)
		})
	})
	t.Run("with contexts that end", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t, on(progress.Create, "one", fine), on(progress.Create, "two", func(c ctx, _ *handling.Attempt) handling.Outcome {
				<-c.Done()
				return handling.Outcome{Err: context.Cause(c)}
			}))
			w.start()
			w.create(`{"spec":{"x":1}}`)
			synctest.Wait()
			w.reactor.Stop()
			w.expire(errors.New("the time is over"))
			w.stop()
			if got := w.annotations(); !strings.Contains(got, "one") || !strings.Contains(got, "two") {
				t.Errorf("annotations %s", got)
			}
			w.called()
			w.handlers.Handlers[1].Run = w.noted(fine)
			w.start()
			w.atRest()
			expect(t, "calls of the next process", w.called(), `create two#0 {"x":1}`)
			w.stop()
		})
	})
	t.Run("and the server is away for good", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t, on(progress.Create, "c", fine))
			w.before = func(int, string) error { return errLost }
			w.start()
			w.create(`{"spec":{"x":1}}`)
			synctest.Wait()
			began := time.Now()
			w.stop()
			if !w.logged("handlers will be called again") || time.Since(began) > 20*time.Second {
				t.Errorf("after %v", time.Since(began))
			}
		})
	})
}

// A timer that has fired already when its object comes to rest wakes nothing: the object may be in progress again, with another timer.
func TestATimerIsLate(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", failing(inMinute)))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		synctest.Wait()
		own := w.work()
		time.Sleep(time.Minute)
		w.atRest()
		w.reactor.mu.Lock()
		w.reactor.wake(own)
		phase := own.phase
		w.reactor.mu.Unlock()
		if phase != resting {
			t.Errorf("phase %d", phase)
		}
		w.stop()
	})
}

// One busy object does not keep the others from their turns, even if it needs no writing.
func TestTurnsAreFair(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var order []string
		w := newWorld(t, on(progress.Create|progress.Update, "h", fine))
		w.handlers.Handlers[0].When = func(a *handling.Attempt) (bool, error) {
			if order = append(order, a.Name); a.Name == "a" && len(order) < 100 {
				w.edit(fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, len(order)))
			}
			return false, nil
		}
		w.boot()
		w.turns.limit = 1
		w.list()
		w.create(`{"spec":{"x":1}}`)
		w.create(`{"metadata":{"name":"b"},"spec":{"x":2}}`)
		w.atRest()
		if at := slices.Index(order, "b"); at < 0 || at > 2*maxRounds {
			t.Errorf("the other object is the %d. of %d", at, len(order))
		}
		w.stop()
	})
}

// Pauses begin anew after a success, also for an object that does not come to rest.
func TestPausesBeginAnew(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", failing(inMinute, inMinute)))
		var at []time.Duration
		began := time.Now()
		w.before = func(n int, _ string) error {
			at = append(at, time.Since(began))
			if n < 5 || n == 6 {
				return errLost
			}
			return nil
		}
		w.start()
		w.create(`{"spec":{"x":1}}`)
		time.Sleep(10 * time.Minute)
		w.atRest()
		if got := fmt.Sprint(at); got != "[0s 1s 2s 4s 7s 1m0s 1m1s 2m0s]" {
			t.Errorf("requests at %s", got)
		}
		w.stop()
	})
}

// What comes later than the first list was not there when the operator began, even if it looks as if it had been handled.
func TestWhatAnEventBringsIsNotResumed(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Resume, "r", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.called()
		handled := encoded(w.object())
		w.event("DELETED", handled)
		w.event("ADDED", handled)
		w.atRest()
		expect(t, "calls", w.called())
		w.stop()
	})
}

// If more events from before the end of an object come than one, the server is asked all the same.
func TestSeveralEventsFromBeforeTheEnd(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		block := make(chan struct{})
		w := newWorld(t, on(progress.Delete, "d", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.late = true
		w.before = func(_ int, kind string) error {
			if kind == "json" {
				w.edit(`{"metadata":{"labels":{"n":"1"}}}`)
				w.edit(`{"metadata":{"labels":{"n":"2"}}}`)
			}
			return nil
		}
		w.event("MODIFIED", w.delete())
		w.atRest()
		w.called()
		w.requested()
		w.turns.limit = 1
		w.turns.Go(func() { <-block })
		events, _, _ := w.server.Since(&w.cursor)
		for _, e := range events[:len(events)-1] {
			w.event(e.Type, e.Object())
		}
		close(block)
		w.atRest()
		expect(t, "calls", w.called())
		expect(t, "requests", w.requested(), "read")
		w.stop()
	})
}
