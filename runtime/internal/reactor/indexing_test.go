package reactor

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/index"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
)

// specs is an index of objects by their spec, and how it is filled; fails is what the function returns next.
type specs struct {
	*index.Index[string, string]
	mu    sync.Mutex
	fails error
	calls int
}

// fail has the function fail from now on, or succeed.
func (s *specs) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails = err
}

// called returns how often the function was called.
func (s *specs) called() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// indexed gives the operator an index function.
func (w *world) indexed(policy kopf.Policy) *specs {
	s := &specs{Index: index.New[string, string]()}
	writer := s.NewWriter()
	run := func(_ context.Context, a *handling.Attempt) handling.Outcome {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls++
		if s.fails != nil {
			return handling.Outcome{Err: s.fails}
		}
		return handling.Outcome{Rows: func(object index.Object) {
			writer.Replace(object, map[string][]string{spec(a.Object): {a.Name}})
		}}
	}
	w.handlers.Indexes = append(w.handlers.Indexes, handling.Handler{ID: "specs", Policy: policy, Table: writer, Run: run})
	return s
}

func (s *specs) expect(t *testing.T, when string, keys ...string) {
	t.Helper()
	if got := slices.Sorted(s.Keys()); !slices.Equal(got, keys) {
		t.Errorf("%s: the index has %q instead of %q", when, got, keys)
	}
}

// B113, B114: what an object has in an index follows the object, and ends with it. No trace is left on the object.
func TestAnIndexFollowsItsObject(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ix := w.indexed(kopf.Policy{Errors: kopf.ErrorsIgnored})
		w.handlers.Indexes[0].Value = func(value any, _ bool) (bool, error) { return value != "none", nil }
		w.handlers.Indexes[0].Field = []string{"spec", "x"}
		w.create(`{"spec":{"x":1}}`)
		w.start()
		w.atRest()
		ix.expect(t, "after the list", `{"x":1}`)
		w.edit(`{"spec":{"x":2}}`)
		w.atRest()
		ix.expect(t, "after a change", `{"x":2}`)
		w.edit(`{"spec":{"x":"none"}}`)
		w.atRest()
		ix.expect(t, "when it does not match")
		w.edit(`{"spec":{"x":3}}`)
		w.atRest()
		ix.expect(t, "when it matches again", `{"x":3}`)
		w.delete()
		w.atRest()
		ix.expect(t, "after its end")
		expect(t, "requests", w.requested())
		w.stop()
	})
}

// B114: an object that went while nobody watched is not in the next list, nor in the index.
func TestAnIndexAfterAnotherList(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ix := w.indexed(kopf.Policy{Errors: kopf.ErrorsIgnored})
		w.late = true
		w.create(`{"spec":{"x":1}}`)
		w.start()
		w.atRest()
		ix.expect(t, "after the list", `{"x":1}`)
		w.delete()
		ix.expect(t, "while nobody knows", `{"x":1}`)
		w.list()
		w.atRest()
		ix.expect(t, "after the next list")
		w.stop()
	})
}

// An index is up to date when the handlers of the same state are called.
func TestAnIndexComesBeforeOtherHandlers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ix := w.indexed(kopf.Policy{Errors: kopf.ErrorsIgnored})
		look := func(_ context.Context, a *handling.Attempt) handling.Outcome {
			ix.expect(t, "in a handler", spec(a.Object))
			return handling.Outcome{}
		}
		w.handlers.Handlers = []handling.Handler{on(progress.Create|progress.Update, "look", w.noted(look))}
		w.start()
		w.create(`{"spec":{"x":1}}`)
		w.atRest()
		w.edit(`{"spec":{"x":2}}`)
		w.atRest()
		expect(t, "calls", w.called(), `create look#0 {"x":1}`, `update look#0 {"x":2}`)
		w.stop()
	})
}

// B117: an ignored error leaves what was there; a temporary one takes the object out until the delay is over; a permanent one for good.
func TestErrorsOfIndexFunctions(t *testing.T) {
	trouble := errors.New("trouble")
	minute := kopf.Backoff{From: time.Minute}
	for name, c := range map[string]struct {
		policy           kopf.Policy
		fails            error
		meanwhile, later []string
		calls            int
	}{
		"ignored":   {kopf.Policy{Errors: kopf.ErrorsIgnored}, trouble, []string{`{"x":1}`}, []string{`{"x":1}`}, 2},
		"temporary": {kopf.Policy{Errors: kopf.ErrorsTemporary, Backoff: minute}, trouble, nil, []string{`{"x":2}`}, 3},
		"permanent": {kopf.Policy{Errors: kopf.ErrorsIgnored}, kopf.Permanent(trouble), nil, nil, 2},
		"exhausted": {kopf.Policy{Errors: kopf.ErrorsTemporary, Backoff: minute, Retries: 1}, trouble, nil, nil, 2},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				w := newWorld(t)
				ix := w.indexed(c.policy)
				w.start()
				w.create(`{"spec":{"x":1}}`)
				w.atRest()
				ix.fail(c.fails)
				w.edit(`{"spec":{"x":2}}`)
				synctest.Wait()
				ix.expect(t, "after the error", c.meanwhile...)
				ix.fail(nil)
				time.Sleep(time.Hour)
				w.atRest()
				ix.expect(t, "later", c.later...)
				if got := ix.called(); got != c.calls {
					t.Errorf("%d calls instead of %d", got, c.calls)
				}
				w.delete()
				w.atRest()
				if ix.Len() != 0 || len(w.reactor.tries) != 0 {
					t.Error("something is remembered of an object that is gone")
				}
				expect(t, "requests", w.requested())
				w.stop()
			})
		})
	}
}
