package reactor

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

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
