package reactor

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

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
