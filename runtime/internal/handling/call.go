package handling

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/diff"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/scope"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// call makes one attempt of a handler and puts its outcome into the round.
func (r *round) call(ctx context.Context, due progress.Due) {
	h := &r.Resource.Handlers[due.Index]
	seen, _ := tree.Get(r.Essence, h.Field...)
	own := due.Record.Clone()
	r.begin(own)
	children := &executor{
		round: r, id: h.ID, own: own, seen: seen,
		reopens: due.Role.Has(progress.Update | progress.Field),
	}
	a := r.attempt(h, r.cause.Reason)
	a.Old, a.New = encode(due.Old, h.Field), encode(r.Essence, h.Field)
	a.Diff = diff.At(due.Old, r.Essence, h.Field)
	a.Retry, a.Started = own.Retries, own.Started

	t := trial{
		id: h.ID, policy: h.Policy, result: h.Result, record: own, children: children, seen: seen,
		run: func(ctx context.Context) Outcome { return h.Run(ctx, a) },
	}
	if h.Failed != nil {
		t.givenUp = func(err error) { r.giveUp(ctx, h, *a, err) }
	}
	r.try(ctx, t)
}

// trial is one attempt of a handler or sub-handler.
type trial struct {
	id     string
	policy kopf.Policy
	// result is the key of the status that takes the result; empty drops it.
	result string
	// record is updated by the attempt.
	record   *record.Record
	children *executor
	// seen is what the handler looks at.
	seen any
	run  func(context.Context) Outcome
	// givenUp is called when the handler is given up; nil is nothing.
	givenUp func(error)
}

// try makes an attempt, unless the limits forbid it.
func (r *round) try(ctx context.Context, t trial) {
	r.called++
	own := t.record
	r.begin(own)
	own.Delayed = time.Time{}
	r.records[t.id] = own
	if err := Exhausted(t.policy, Attempted{Retries: own.Retries, Runtime: r.Now().Sub(own.Started)}); err != nil {
		r.finish(t, Verdict{Done: true, Err: err})
		return
	}

	r.out.Called = append(r.out.Called, t.id)
	out := t.call(ctx)
	if err := r.out.Asks.Gather(r.Resource, r.Raw, out); err != nil {
		// The next attempt would ask for the same.
		out.Err = kopf.Permanent(errors.Join(err, out.Err))
	}
	if ctx.Err() != nil && (errors.Is(out.Err, context.Canceled) || errors.Is(out.Err, context.Cause(ctx))) {
		// The time to finish is over. The next process calls the handler again, even if the change has been taken back by then, because
		// of what the handler may have done already.
		own.Message = message(out.Err)
		r.interruption(t, out.Err)
		return
	}
	if t.children.open {
		r.suspend(t, out.Err)
		return
	}
	v := Judge(t.policy, out.Err, Attempted{
		Retries: own.Retries + 1, Runtime: r.Now().Sub(own.Started), Random: rand.Float64(),
	})
	if !v.Waiting {
		own.Retries++
	}
	own.Message = nil
	if !v.Ignored {
		own.Message = message(out.Err)
	}
	if !v.Done {
		r.delay(own, v.Delay)
		r.postponed(t, v, out.Err)
		return
	}
	if out.Err == nil {
		r.out.Asks.Keep(t.result, out)
	}
	if v.Ignored {
		r.failed(t, out.Err, "failed; the error is ignored")
	}
	r.finish(t, v)
}

// begin dates a record that has not been tried yet. In Kopf, the time for a timeout runs from when a handler was selected, even while it has
// to wait for others; here it runs from the first attempt.
func (r *round) begin(own *record.Record) {
	if !progress.Tried(own) {
		own.Started = stamp(r.Now())
	}
}

// call calls the handler, with the executor of its sub-handlers in the context.
func (t trial) call(ctx context.Context) Outcome {
	defer t.children.over.Store(true)
	return Guarded(scope.With(ctx, t.children), t.run)
}

// Guarded runs what calls a handler and turns a panic into an error.
func Guarded(ctx context.Context, run func(context.Context) Outcome) (out Outcome) {
	defer func() {
		if p := recover(); p != nil {
			out = Outcome{Err: &PanicError{Value: p, Stack: debug.Stack()}}
		}
	}()
	return run(ctx)
}

// suspend records an attempt that ended with open sub-handlers: the handler is unfinished whatever it returned, and is called again when the
// next of them is due.
//
// Kopf counts such a round as a retry, and gives up a handler whose sub-handlers take more rounds than it has retries. Here it does not
// count, nor does it in the stored record, so that a Kopf operator that takes over does not give the handler up for it.
func (r *round) suspend(t trial, err error) {
	t.record.Message = new("None")
	r.delay(t.record, max(0, t.children.next.Sub(r.Now())))
	r.suspended(t, err)
}

// delay sets when the next attempt is due; no time means at once.
func (r *round) delay(own *record.Record, delay time.Duration) {
	if delay > 0 {
		own.Delayed = stamp(r.Now().Add(delay))
	}
}

// finish records an outcome and the state for which it came about.
func (r *round) finish(t trial, v Verdict) {
	own := t.record
	own.Stopped = stamp(r.Now())
	own.Success, own.Failure = v.Err == nil, v.Err != nil
	if v.Err != nil {
		own.Message = message(v.Err)
	}
	progress.Bind(own, t.seen, r.Essence)
	r.finished(t, v)
	if v.Err != nil && t.givenUp != nil {
		t.givenUp(v.Err)
	}
}

// giveUp calls what an author has for a handler that is given up. What it wants written goes with the record that says so, in one request. It
// gets no second chance: an error of its own is logged, and what it returns is dropped, since a failed handler has no result.
func (r *round) giveUp(ctx context.Context, h *Handler, a Attempt, failure error) {
	a.Failure = failure
	out := Guarded(ctx, func(ctx context.Context) Outcome { return h.Failed(ctx, &a) })
	if err := errors.Join(r.out.Asks.Gather(r.Resource, r.Raw, out), out.Err); err != nil {
		LogError(r.Logger, fmt.Sprintf("what is called when handler %q is given up failed", h.ID), err)
	}
}

// message returns the text of an error as it stands in a record. As in Kopf, an error without a text is "None", and no error is nothing.
func message(err error) *string {
	switch {
	case err == nil:
		return nil
	case err.Error() == "":
		return new("None")
	}
	return new(err.Error())
}
