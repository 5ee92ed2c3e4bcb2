package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
)

// timer is one timer of one object. It has a goroutine only while there is something to do: a call, or something to be written.
type timer struct {
	set     *Set
	index   int
	h       *Handler
	stopper *stopper
	// wake ends the waiting. It is not set while the timer is busy or waits for a change.
	wake *time.Timer
	// changes tells that the timer waits for the object to change; busy, that it runs or waits for its turn to run.
	changes, busy bool
	// cancel ends the context of the call that runs; nil is none.
	cancel context.CancelCauseFunc

	// What follows belongs to the goroutine while the timer is busy.

	// delayed tells that the initial delay is known.
	delayed bool
	// ran is the last call.
	ran ran
	// unsent is what it wanted written and could not be.
	unsent *patch.Plan
	// failures counts the errors outside of the handler, in a row.
	failures int
	attempts
}

// ran is what came of a call, and when it was.
type ran struct {
	verdict      handling.Verdict
	began, ended time.Time
}

// startTimer enters a timer. The lock is held.
func (s *Set) startTimer(i int, h *Handler) {
	t := &timer{set: s, index: i, h: h, stopper: newStopper(), delayed: h.InitialDelay.Of == nil}
	s.members[i] = t
	s.group.count(1)
	t.wait(h.InitialDelay.Fixed)
}

// wait has the timer wake up after a while.
func (t *timer) wait(delay time.Duration) {
	delay = max(0, delay)
	if t.wake == nil {
		t.wake = time.AfterFunc(delay, t.fire)
	} else {
		t.wake.Reset(delay)
	}
}

// fire begins what is due, unless the object has not been quiet for long enough.
func (t *timer) fire() {
	g := t.set.group
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.left() || t.busy {
		return
	}
	if t.delayed && t.unsent == nil {
		if d := t.h.Timer.unquiet(t.set.changed, time.Now()); d > 0 {
			t.wait(d)
			return
		}
	}
	t.busy = true
	g.Calls.Go(t.run)
}

// run does what is due, and decides what comes next.
func (t *timer) run() {
	object := t.set.current()
	var wait bool
	var delay time.Duration
	if t.unsent != nil || !t.stopper.stopped() {
		wait, delay = t.work(object)
	}
	t.set.group.mu.Lock()
	end := t.settle(wait, delay)
	t.set.group.mu.Unlock()
	if end != nil {
		end(object)
	}
}

// work sends what is unsent, asks for the initial delay, or makes a call. If it cannot, or has learnt only how long to wait, it tells so.
func (t *timer) work(object Object) (wait bool, delay time.Duration) {
	if t.unsent != nil {
		return t.write(object, t.unsent)
	}
	a, state, err := object.Begin(t.h)
	switch {
	case errors.Is(err, ErrGone):
		t.stopper.add(kopf.StopResourceDeleted)
		return false, 0
	case err != nil:
		delay := t.fail()
		object.Logger().Error(fmt.Sprintf("the object cannot be read for timer %q; trying again", t.h.ID), "in", delay, "error", err)
		return true, delay
	}
	t.failures = 0
	b := &beside{t.set, t.stopper, state}
	if !t.delayed {
		delay, v := t.delay(t.h, a, b)
		t.delayed = v.Done
		if v.Done && v.Err != nil {
			t.ran = ran{verdict: v}
			return false, 0
		}
		return true, max(delay, v.Delay)
	}
	began := time.Now()
	v, plan := t.call(a, b)
	t.ran = ran{v, began, time.Now()}
	if v.Done {
		t.attempts = attempts{}
	}
	return t.write(object, plan)
}

// call makes one attempt, with a context that ends when the timer is stopped.
func (t *timer) call(a *handling.Attempt, b *beside) (handling.Verdict, *patch.Plan) {
	g := t.set.group
	ctx, cancel := context.WithCancelCause(g.Context)
	defer cancel(nil)
	g.mu.Lock()
	t.cancel = cancel
	if t.stopper.stopped() {
		cancel(t.stopper.cause())
	}
	g.mu.Unlock()
	return t.attempt(ctx, t.set, t.h, a, b)
}

// write sends a plan. What could not be sent is kept, and comes before the next call.
func (t *timer) write(object Object, plan *patch.Plan) (wait bool, delay time.Duration) {
	left, err := object.Write(t.h, plan)
	if left.Empty() {
		t.unsent, t.failures = nil, 0
		return false, 0
	}
	t.unsent = left
	delay = t.fail()
	if err == nil {
		delay = movedDelay
	} else {
		object.Logger().Warn(fmt.Sprintf("what timer %q wants written is not written yet; trying again", t.h.ID), "in", delay, "error", err)
	}
	return true, delay
}

// fail counts an error outside of the handler, and returns the pause after it.
func (t *timer) fail() time.Duration {
	delay := handling.ErrorDelay(t.failures)
	t.failures++
	return delay
}

// settle ends a run: the timer waits as it is told, or as its last call and its schedule want it, or leaves. Then the object is told what is
// returned, if anything, without the lock.
func (t *timer) settle(wait bool, delay time.Duration) (end func(Object)) {
	t.busy, t.cancel = false, nil
	if t.left() {
		return nil
	}
	if t.unsent != nil && t.set.group.Context.Err() != nil {
		t.set.object.Logger().Error(fmt.Sprintf("what timer %q wants written is given up", t.h.ID))
		t.unsent = nil
	}
	if t.unsent == nil && t.stopper.stopped() {
		t.leave(false)
		return Object.Wake // it may be wanted again by now
	}
	if wait {
		t.wait(delay)
		return nil
	}
	switch n := t.h.Timer.after(t.ran.verdict, t.ran.began, t.ran.ended, t.set.changed); {
	case n.never:
		t.leave(true)
		return Object.Rest
	case n.change:
		t.changes = true
	default:
		t.wait(time.Until(n.at))
	}
	return nil
}

// left tells that the timer is no longer in its set.
func (t *timer) left() bool { return t.set.members[t.index] != t }

// leave takes the timer out; own tells that it has ended by itself.
func (t *timer) leave(own bool) {
	if t.wake != nil {
		t.wake.Stop()
	}
	t.set.group.count(-1)
	t.set.leave(t.index, own)
}

// stop ends a timer that waits at once, and the context of one that runs. What is unsent is tried once more without delay.
func (t *timer) stop(reason kopf.StopReason) {
	first := t.stopper.add(reason)
	switch {
	case t.busy && t.cancel != nil:
		t.stopper.add(kopf.StopDaemonCancelled)
		t.cancel(t.stopper.cause())
	case t.busy:
	case t.unsent == nil:
		t.leave(false)
	case first:
		t.wait(0)
	}
}

// touched begins the time of idling for a timer that waits for that.
func (t *timer) touched() {
	if t.changes {
		t.changes = false
		t.wait(time.Until(t.set.changed.Add(t.h.Timer.Idle)))
	}
}

// abandon has nobody wait for a call that does not end.
func (t *timer) abandon() {
	t.set.object.Logger().Warn(fmt.Sprintf("timer %q did not end in time; it is abandoned", t.h.ID))
	t.leave(false)
}

// holds: no object waits for a timer.
func (t *timer) holds() bool { return false }
