package reactor

import (
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
		synctest.Wait()
		if known, _ := w.reactor.Known(); known != 0 {
			t.Error("the object is remembered")
		}
		w.stop()
	})
}

// The deletion of an object that feeds itself does not wait until the object may be fed again.
func TestTheDeletionOfWhatFeedsItself(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		feed := func(_ ctx, a *handling.Attempt) handling.Outcome {
			patch := new(kopf.Patch)
			patch.Set(time.Now().UnixNano(), "spec", "x")
			time.Sleep(time.Millisecond)
			return handling.Outcome{Patch: patch}
		}
		w := newWorld(t, on(progress.Create|progress.Update, "feed", feed), on(progress.Delete, "bye", fine))
		w.start()
		w.create(`{"spec":{"x":1}}`)
		time.Sleep(30 * time.Second)
		w.called()
		w.delete()
		synctest.Wait()
		if calls := w.called(); len(calls) != 1 || !strings.HasPrefix(calls[0], "delete bye") {
			t.Errorf("calls: %q", calls)
		}
		w.stop()
	})
}
