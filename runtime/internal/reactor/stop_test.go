package reactor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
)

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
