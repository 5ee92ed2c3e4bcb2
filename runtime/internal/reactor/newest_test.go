package reactor

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var errLost = errors.New("connection lost")

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

// The answer that takes the last finalizer is not a new state. Nor is what came before it, however late that arrives.
func TestTheAnswerToAReleaseIsNoState(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Delete, "d", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.requested()
		w.late = true
		w.event("MODIFIED", w.delete())
		synctest.Wait()
		expect(t, "calls", w.called(), `delete d#0 {"x":1}`)
		expect(t, "requests", w.requested(), "json")
		if known, busy := w.reactor.Known(); known != 1 || busy != 0 {
			t.Errorf("known %d, in progress %d", known, busy)
		}
		w.deliver()
		if known, _ := w.reactor.Known(); known != 0 {
			t.Error("the object is remembered after its end")
		}
		w.atRest()
		expect(t, "calls", w.called())
		expect(t, "requests", w.requested())
		w.stop()
	})
}

// The same where the status is written with the release, and somebody else changed the object just before.
func TestEventsFromBeforeTheEnd(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		d := on(progress.Delete, "d", func(ctx, *handling.Attempt) handling.Outcome { return handling.Outcome{Result: kopf.Raw(`"bye"`)} })
		d.Result = "d"
		w := newWorld(t, d)
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.requested()
		w.late = true
		w.before = func(_ int, kind string) error {
			if kind == "json" {
				w.edit(`{"metadata":{"labels":{"a":"b"}}}`)
			}
			return nil
		}
		w.event("MODIFIED", w.delete())
		synctest.Wait()
		expect(t, "calls", w.called(), `delete d#0 {"x":1}`)
		expect(t, "requests", w.requested(), "merge status", "json")
		w.deliverSlowly() // one of them is newer than all that is known: the server is asked whether the object is still there
		w.atRest()
		expect(t, "calls", w.called())
		expect(t, "requests", w.requested(), "read")
		w.stop()
	})
}

// A retry does not write to another object of the same name.
func TestNamesakesAreLeftAlone(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		notYet := kopf.Temporary(errors.New("not yet"), time.Minute)
		c := on(progress.Create, "c", failing(notYet))
		w := newWorld(t, c)
		w.start()
		w.create(`{"spec":{"x":1}}`)
		synctest.Wait()
		w.late = true
		w.delete()
		namesake := w.create(`{"spec":{"x":2}}`)
		w.requested()
		time.Sleep(time.Minute) // the events of that are on their way for long
		synctest.Wait()
		expect(t, "requests", w.requested(), "merge")
		if w.annotations() != "" || spec(namesake) != `{"x":2}` {
			t.Errorf("the namesake was written to: %v", w.object())
		}
		w.deliver()
		w.atRest()
		expect(t, "calls", w.called(), `create c#0 {"x":1}`, `create c#1 {"x":1}`, `create c#0 {"x":2}`)
		expect(t, "requests", w.requested(), "merge")
		w.stop()
	})
}

// Without an answer it is not known whether a patch was made. It is sent again, and the handlers are not called again.
func TestAnAnswerIsLost(t *testing.T) {
	for _, made := range []bool{false, true} {
		for _, moved := range []bool{false, true} {
			t.Run(fmt.Sprintf("made %v, moved %v", made, moved), func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					c := on(progress.Create, "c", func(ctx, *handling.Attempt) handling.Outcome { return handling.Outcome{Result: kopf.Raw("1")} })
					c.Result = "c"
					w := newWorld(t, c, on(progress.Update, "u", fine), on(progress.Delete, "d", fine))
					w.late = !made
					lose := func(n int, _ string) error {
						if n <= 3 || n == 5 { // the finalizer three times, the object, and later its status
							return errLost
						}
						return nil
					}
					if made {
						w.after = lose
					} else {
						w.before = lose
					}
					w.start()
					w.create(`{"spec":{"x":1}}`)
					w.deliver()
					synctest.Wait()
					if moved {
						w.edit(`{"spec":{"x":2}}`)
						w.deliver()
					}
					time.Sleep(time.Minute)
					w.deliver()
					w.atRest()
					calls := w.called()
					if created := count(calls, "create"); created != 1 {
						t.Errorf("calls %q", calls)
					}
					if got, _ := tree.Get(w.object(), "status", "c"); got != int64(1) || w.annotations() != "last-handled-configuration" {
						t.Errorf("the object is %v", w.object())
					}
					w.stop()
				})
			})
		}
	}
}

func count(list []string, start string) (n int) {
	for _, s := range list {
		if strings.HasPrefix(s, start) {
			n++
		}
	}
	return n
}

// What could not be sent is sent before a newer state is handled, and is compared with that one.
func TestWhatIsUnsentMeetsANewerState(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
		w.before = func(n int, _ string) error {
			if n == 1 {
				w.edit(`{"spec":{"x":2}}`)
				return errLost
			}
			return nil
		}
		w.start()
		w.create(`{"spec":{"x":1}}`)
		synctest.Wait()
		time.Sleep(time.Second)
		w.atRest()
		// What the creation was told of is stored as handled, so that the change after it is told.
		expect(t, "calls", w.called(), `create c#0 {"x":1}`, `update u#0 {"x":2}`)
		expect(t, "requests", w.requested(), "merge", "merge", "merge")
		w.stop()
	})
}

// A store that was restored from a backup has old versions again. They are forgotten, and the states of the list are taken.
func TestTheStoreGoesBackInTime(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		synctest.Wait()
		backup := tree.String(w.object(), "metadata", "resourceVersion")
		for x := 2; x < 5; x++ {
			w.edit(fmt.Sprintf(`{"spec":{"x":%d}}`, x))
			synctest.Wait()
		}
		w.create(`{"metadata":{"name":"b"}}`)
		w.atRest()
		w.called()
		w.server.Restore(backup)
		w.list()
		w.atRest()
		if known, _ := w.reactor.Known(); known != 1 || !w.logged("back in time") {
			t.Errorf("%d objects are known", known)
		}
		// The versions that come again are new ones.
		w.edit(`{"spec":{"x":7}}`)
		w.atRest()
		expect(t, "calls", w.called(), `update u#0 {"x":7}`)
		w.stop()
	})
}

// Answers that come while a list is on its way are no sign of that.
func TestAnswersDuringAListAreNoTimeTravel(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.requested()
		w.called()
		w.late = true
		answer, err := w.server.Do("GET", path("", ""), "", nil)
		if err != nil {
			t.Fatal(err)
		}
		w.event("MODIFIED", w.edit(`{"spec":{"x":2}}`)) // and its handling is written while the list is on its way
		synctest.Wait()
		w.reactor.Restart()
		if _, err := w.skimmer.List(answer, w.listed); err != nil {
			t.Fatal(err)
		}
		if !w.reactor.Synced("1") {
			t.Error("the list is not trusted")
		}
		w.atRest()
		expect(t, "calls", w.called(), `update u#0 {"x":2}`)
		expect(t, "requests", w.requested(), "merge", "read")
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

// If the store went back in time to before what only an answer told, the server is believed.
func TestTheServerIsBelieved(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		backup := tree.String(w.object(), "metadata", "resourceVersion")
		w.late = true
		w.event("MODIFIED", w.edit(`{"spec":{"x":2}}`))
		w.atRest()
		w.requested()
		w.server.Restore(backup)
		w.list()
		w.atRest()
		expect(t, "requests", w.requested(), "read")
		if e, _ := w.entry("a"); fmt.Sprint(e.version) != backup {
			t.Errorf("version %d, not %s", e.version, backup)
		}
		w.stop()
	})
}

// Versions without an order: after an answer, events are held back until that of the answer has come.
func TestVersionsWithoutOrder(t *testing.T) {
	setup := func(t *testing.T) (w *world, created []byte) {
		w = newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
		w.server.Unordered, w.late = true, true
		w.start()
		created = w.create(`{"spec":{"x":1}}`)
		w.event("ADDED", created)
		synctest.Wait()
		expect(t, "calls", w.called(), `create c#0 {"x":1}`)
		w.requested()
		return w, created
	}
	t.Run("late events", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w, created := setup(t)
			w.event("MODIFIED", created)
			time.Sleep(consistency / 2)
			w.deliver() // our own, too
			w.edit(`{"spec":{"x":2}}`)
			w.deliver() // is not held back any more
			synctest.Wait()
			expect(t, "calls", w.called(), `update u#0 {"x":2}`)
			w.deliver()
			time.Sleep(2 * consistency)
			w.atRest()
			expect(t, "requests", w.requested(), "merge")
			w.stop()
		})
	})
	t.Run("the event never comes", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w, _ := setup(t)
			w.event("MODIFIED", w.edit(`{"spec":{"x":2}}`))
			synctest.Wait()
			expect(t, "calls", w.called())
			time.Sleep(consistency)
			synctest.Wait()
			expect(t, "calls", w.called(), `update u#0 {"x":2}`)
			expect(t, "requests", w.requested(), "read", "merge")
			time.Sleep(consistency)
			w.atRest()
			w.stop()
		})
	})
	t.Run("events are faster than the answer", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t, on(progress.Create, "c", fine), on(progress.Update, "u", fine))
			w.server.Unordered = true
			w.start()
			w.after = func(n int, _ string) error {
				if n == 1 {
					w.edit(`{"spec":{"x":2}}`)
				}
				return nil
			}
			w.create(`{"spec":{"x":1}}`)
			time.Sleep(3 * consistency)
			w.atRest()
			calls := w.called()
			if !slices.Contains(calls, `update u#0 {"x":2}`) || count(calls, "create") != 1 || count(calls, "update") != 1 {
				t.Errorf("calls %q", calls)
			}
			w.stop()
		})
	})
	t.Run("an event from before the request", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w := newWorld(t)
			w.handlers.Handlers = []handling.Handler{on(progress.Create, "c", w.noted(slow(func() {
				w.event("MODIFIED", w.editStatus(`{"status":{"n":1}}`))
			})))}
			w.server.Unordered, w.late = true, true
			w.start()
			w.event("ADDED", w.create(`{"spec":{"x":1}}`))
			time.Sleep(2 * consistency)
			w.atRest()
			expect(t, "requests", w.requested(), "merge")
			w.stop()
		})
	})
	t.Run("nothing happens", func(t *testing.T) {
		inBubble(t, func(t *testing.T) {
			w, _ := setup(t)
			time.Sleep(consistency)
			w.atRest()
			if w.work() != nil {
				t.Error("the object does not come to rest")
			}
			expect(t, "requests", w.requested())
			w.stop()
		})
	})
}

// A handler that reacts to its own changes is held back, more and more, even though every change is news.
func TestAHandlerThatFeedsItself(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		feed := func(_ ctx, a *handling.Attempt) handling.Outcome {
			object, _ := tree.DecodeObject(a.Object)
			x, _ := tree.Get(object, "spec", "x")
			return handling.Outcome{Edits: []edit.Edit{{Before: encoded(map[string]any{"spec": map[string]any{"x": x}}), After: encoded(map[string]any{"spec": map[string]any{"x": x.(int64) + 1}})}}}
		}
		w := newWorld(t, on(progress.Create|progress.Update, "feed", feed))
		w.start()
		began := time.Now()
		w.create(`{"spec":{"x":1}}`)
		synctest.Wait()
		if n := len(w.called()); n != maxRounds || !w.logged(`"feed\"`) {
			t.Errorf("%d calls", n)
		}
		var pauses []time.Duration
		for len(pauses) < 5 {
			time.Sleep(time.Second)
			synctest.Wait()
			if n := len(w.called()); n > 0 {
				pauses = append(pauses, time.Since(began))
				began = time.Now()
			}
		}
		if d := cmp.Diff([]time.Duration{time.Second, time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second}, pauses); d != "" {
			t.Error(d)
		}
		w.delete() // counts at once all the same
		if known, _ := w.reactor.Known(); known != 0 {
			t.Error("the object is remembered")
		}
		w.stop()
	})
}

// A turn ends early, between two handlers, when a newer state has come; what was done is saved, and the rest sees the newer state.
func TestATurnEndsEarly(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.handlers.Handlers = []handling.Handler{
			on(progress.Create, "one", w.noted(slow(func() { w.edit(`{"spec":{"x":2}}`) }))),
			on(progress.Create, "two", w.noted(fine)),
			on(progress.Update, "u", w.noted(fine)),
		}
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		expect(t, "calls", w.called(), `create one#0 {"x":1}`, `create two#0 {"x":2}`, `update u#0 {"x":2}`)
		if got := w.annotations(); got != "last-handled-configuration" {
			t.Errorf("annotations %s", got)
		}
		w.stop()
	})
}
