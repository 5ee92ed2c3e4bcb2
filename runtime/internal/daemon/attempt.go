package daemon

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
)

// attempts counts those of one run: until a daemon has ended, until a timer has succeeded or was given up.
type attempts struct {
	count   int
	started time.Time
}

// attempt makes one attempt and returns what it comes to and what is to be written. The error of one that was told to stop, and fails for
// that, is none.
func (n *attempts) attempt(ctx context.Context, s *Set, h *Handler, a *handling.Attempt, b *beside) (handling.Verdict, *patch.Plan) {
	if n.started.IsZero() {
		n.started = time.Now()
	}
	a.Retry, a.Started, a.Beside = n.count, n.started, b
	if err := handling.Exhausted(h.Policy, handling.Attempted{Retries: n.count, Runtime: time.Since(n.started)}); err != nil {
		v := handling.Verdict{Done: true, Exhausted: true, Err: err}
		h.log(a.Logger, v, n.count, err)
		return v, nil
	}

	out := guarded(func() handling.Outcome { return h.Run(ctx, a) })
	plan, err := s.current().Plan(h, a, out)
	if err != nil {
		out.Err = kopf.Permanent(errors.Join(err, out.Err)) // the next attempt would ask for the same
	}
	if b.stopper.stopped() && interrupted(ctx, out.Err) {
		out.Err = nil
	}
	v := n.judge(h, out.Err)
	if b.stopper.stopped() && !v.Done {
		// There is no other attempt.
		v = handling.Verdict{Done: true, Err: out.Err}
	}
	h.log(a.Logger, v, n.count, out.Err)
	return v, plan
}

// judge decides what an error means, and counts the attempt.
func (n *attempts) judge(h *Handler, err error) handling.Verdict {
	tried := handling.Attempted{Retries: n.count + 1, Runtime: time.Since(n.started), Random: rand.Float64()}
	if _, ok := errors.AsType[*handling.UndecodableError](err); ok {
		// Another state of the object may do better, and none of the handler's attempts was made.
		return handling.Verdict{Delay: handling.Delay(h.Policy.Backoff, tried.Retries, tried.Random)}
	}
	v := handling.Judge(h.Policy, err, tried)
	if !v.Waiting {
		n.count++
	}
	return v
}

// delay asks for the time before the first attempt. An error counts as one of an attempt.
func (n *attempts) delay(h *Handler, a *handling.Attempt, b *beside) (time.Duration, handling.Verdict) {
	if n.started.IsZero() {
		n.started = time.Now()
	}
	a.Retry, a.Started, a.Beside = n.count, n.started, b
	var d time.Duration
	err := guarded(func() (out handling.Outcome) {
		d, out.Err = h.InitialDelay.Of(a)
		return out
	}).Err
	if err == nil {
		n.count, n.started = 0, time.Time{}
		return max(0, d), handling.Verdict{Done: true}
	}
	v := n.judge(h, err)
	h.log(a.Logger, v, n.count, err)
	return 0, v
}

// guarded turns a panic into an error.
func guarded(call func() handling.Outcome) (out handling.Outcome) {
	defer func() {
		if p := recover(); p != nil {
			out = handling.Outcome{Err: &handling.PanicError{Value: p, Stack: debug.Stack()}}
		}
	}()
	return call()
}

// interrupted tells whether an error says no more than that the context has ended.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(ctx)))
}
