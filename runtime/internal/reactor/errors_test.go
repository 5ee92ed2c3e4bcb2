package reactor

import (
	"errors"
	"fmt"
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

var errLost = errors.New("connection lost")

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
