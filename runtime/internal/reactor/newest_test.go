package reactor

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// expect compares calls or requests.
func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// The newest version stays when an object is at rest: events of states before it, which come late, cost nothing.
func TestTheNewestVersionStaysAtRest(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
		w.late = true
		w.start()
		created := w.create(`{"spec":{"x":1}}`)
		w.event("ADDED", created)
		synctest.Wait()
		expect(t, "calls", w.called(), `create c#0 {"x":1}`)
		expect(t, "requests", w.requested(), "merge")
		e, _ := w.entry("a")
		if want := tree.String(w.object(), "metadata", "resourceVersion"); fmt.Sprint(e.version) != want || !e.ahead || w.work() != nil {
			t.Errorf("entry %+v, version %s", e, want)
		}
		w.event("ADDED", created)
		w.deliver()
		w.atRest()
		if e, _ := w.entry("a"); e.ahead {
			t.Error("the event of our own patch confirms nothing")
		}
		w.editStatus(`{"status":{"seen":true}}`)
		w.deliver()
		if _, busy := w.reactor.Known(); busy != 0 {
			t.Error("a change that means nothing gives it a turn")
		}
		expect(t, "calls", w.called())
		expect(t, "requests", w.requested())
		w.stop()
	})
}

// An event that is not newer than what is known is dropped, other than a deletion.
func TestOldEventsAreDropped(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		synctest.Wait()
		first := encoded(w.object())
		w.edit(`{"spec":{"x":2}}`)
		synctest.Wait()
		w.called()
		w.event("MODIFIED", first)
		w.atRest()
		expect(t, "calls", w.called())
		w.event("DELETED", first)
		if _, ok := w.entry("a"); ok {
			t.Error("a deletion with an old version is dropped")
		}
		w.stop()
	})
}

// An answer may hold the change of somebody else, whose own event is dropped as old afterwards. It is handled in the same turn.
func TestAnAnswerIsAState(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
		w.late = true
		w.start()
		w.before = func(n int, _ string) error {
			if n == 1 {
				w.edit(`{"spec":{"x":2}}`)
			}
			return nil
		}
		w.event("ADDED", w.create(`{"spec":{"x":1}}`))
		synctest.Wait()
		expect(t, "calls", w.called(), `create c#0 {"x":1}`, `update u#0 {"x":2}`)
		expect(t, "requests", w.requested(), "merge", "merge")
		w.deliver() // the change, at last, and our own
		w.atRest()
		expect(t, "calls", w.called())
		expect(t, "requests", w.requested())
		w.stop()
	})
}

// The event of our own patch is faster than the answer in every other case, and the event of a change after it may be, too.
func TestAnEventIsFasterThanTheAnswer(t *testing.T) {
	for _, changes := range []bool{false, true} {
		t.Run(fmt.Sprint(changes), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
				w.start()
				w.after = func(n int, _ string) error {
					if n == 1 && changes {
						w.edit(`{"spec":{"x":2}}`) // is delivered before the older answer
					}
					return nil
				}
				w.create(`{"spec":{"x":1}}`)
				synctest.Wait()
				want, requests := []string{`create c#0 {"x":1}`}, []string{"merge"}
				if changes {
					want, requests = append(want, `update u#0 {"x":2}`), append(requests, "merge")
				}
				expect(t, "calls", w.called(), want...)
				expect(t, "requests", w.requested(), requests...)
				w.atRest()
				w.stop()
			})
		})
	}
}

// A patch that changes nothing answers the version that is known, which is nothing new.
func TestAnEqualAnswerIsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", failing(kopf.Temporary(errors.New("not yet"), time.Minute))))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		synctest.Wait()
		own := w.work()
		w.reactor.learn(own, encoded(w.object()))
		synctest.Wait()
		w.reactor.mu.Lock()
		fresh, phase := own.fresh, own.phase
		w.reactor.mu.Unlock()
		if fresh || phase != waiting {
			t.Errorf("fresh %v, phase %v", fresh, phase)
		}
		w.stop()
	})
}

// A round writes the object first and its status then. The later answer is the newest state, and is taken as it is, whatever was sent.
func TestTwoPatchesOfARound(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		give := func(value string) handling.Func {
			return func(ctx, *handling.Attempt) handling.Outcome {
				return handling.Outcome{Result: kopf.Raw(value)}
			}
		}
		c := on(progress.Create, "c", give(`{"n":1}`))
		c.Result = "c"
		w := newWorld(t, c, on(progress.Update, "u", fine))
		w.server.KnownStatus = []string{"other"} // the result is dropped
		w.late = true
		w.start()
		w.before = func(n int, _ string) error {
			if n == 2 {
				w.edit(`{"spec":{"x":2}}`) // between the two: the status meets a conflict, and is sent once more
			}
			return nil
		}
		w.event("ADDED", w.create(`{"spec":{"x":1}}`))
		synctest.Wait()
		expect(t, "requests", w.requested(), "merge", "merge status", "read", "merge status", "merge")
		expect(t, "calls", w.called(), `create c#0 {"x":1}`, `update u#0 {"x":2}`)
		if !w.logged("path=status.c") {
			t.Error("nobody says that the result was dropped")
		}
		w.deliver()
		w.atRest()
		expect(t, "requests", w.requested())
		w.stop()
	})
}

// While the server is asked for the newest state, an event may bring a newer one.
func TestAnEventIsFasterThanARead(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.stop()
		w.kept = 0
		w.after = func(_ int, kind string) error {
			if kind == "read" && spec(encoded(w.object())) == `{"x":1}` {
				w.edit(`{"spec":{"x":2}}`)
			}
			return nil
		}
		w.start()
		w.atRest()
		expect(t, "calls", w.called(), `create c#0 {"x":1}`, `update u#0 {"x":2}`)
		w.stop()
	})
}

// The deletion may be faster as well.
func TestADeletionIsFasterThanARead(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine))
		w.kept = 0
		w.after = func(int, string) error { w.delete(); return nil }
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		expect(t, "calls", w.called())
		expect(t, "requests", w.requested(), "read")
		if known, _ := w.reactor.Known(); known != 0 {
			t.Error("the object is remembered")
		}
		w.stop()
	})
}

// What was read is the newest state, and all that is due is done for it in one round. If it fits, it need not be read again.
func TestAReadIsNoNews(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "one", fine), on(progress.Create, "two", failing(inMinute)))
		w.late = true
		w.boot()
		w.budget.limit = 0
		w.list()
		created := w.create(`{"spec":{"x":1}}`)
		w.edit(`{"spec":{"x":2}}`)
		w.before = func(int, string) error { w.budget.limit = 1 << 20; return nil }
		w.event("ADDED", created)
		synctest.Wait()
		expect(t, "requests", w.requested(), "read", "merge")
		time.Sleep(time.Minute)
		w.atRest()
		expect(t, "requests", w.requested(), "merge")
		w.stop()
	})
}

// An answer that cannot be understood is asked for again: what was known before it says that the handlers are still to be called.
func TestAnAnswerIsNotUnderstood(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine))
		w.late = true
		w.garble = func(n int, answer []byte) []byte {
			if n == 1 {
				return append([]byte(`{"metadata":{},`), answer[1:]...) // two of them
			}
			return answer
		}
		w.start()
		w.event("ADDED", w.create(`{"spec":{"x":1}}`))
		w.atRest()
		expect(t, "calls", w.called(), `create c#0 {"x":1}`)
		expect(t, "requests", w.requested(), "merge", "read")
		w.stop()
	})
}
