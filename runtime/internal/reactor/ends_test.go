package reactor

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

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
