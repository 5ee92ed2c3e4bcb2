package daemon

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
)

// daemon is one daemon of one object: a goroutine from its start to its end.
type daemon struct {
	set     *Set
	index   int
	h       *Handler
	stopper *stopper
	ctx     context.Context
	cancel  context.CancelCauseFunc
	ending  ending
	attempts
}

// newDaemon enters a daemon, and returns the function that runs it. The lock is held.
func (s *Set) newDaemon(i int, h *Handler, m Matching) (run func()) {
	d := &daemon{set: s, index: i, h: h, stopper: newStopper()}
	d.ctx, d.cancel = context.WithCancelCause(s.group.Context)
	s.members[i] = d
	s.group.count(1)
	first := m.Begin(h)
	d.ending.log = first.Logger
	state := m.State
	return func() {
		own := d.run(first, state)
		d.end(own)
	}
}

// run makes one attempt after the other, and tells whether the daemon has ended by itself.
func (d *daemon) run(a *handling.Attempt, state uint64) (own bool) {
	if delay, ok := d.initialDelay(a, state); !ok || delay > 0 && !d.sleep(delay) {
		return false
	} else if delay > 0 {
		a = nil
	}
	for {
		if a == nil {
			if a, state = d.begin(); a == nil {
				return false
			}
		}
		v, plan := d.attempt(d.ctx, d.set, d.h, a, &beside{d.set, d.stopper, state})
		log := a.Logger
		a = nil // while it sleeps, it keeps no state of the object
		d.write(plan, log)
		switch {
		case d.stopper.stopped():
			return false
		case v.Done:
			return true
		case !d.sleep(v.Delay):
			return false
		}
	}
}

// initialDelay returns the time before the first attempt; not ok means that there is none.
func (d *daemon) initialDelay(a *handling.Attempt, state uint64) (time.Duration, bool) {
	if d.h.InitialDelay.Of == nil {
		return d.h.InitialDelay.Fixed, true
	}
	for {
		delay, v := d.delay(d.h, a, &beside{d.set, d.stopper, state})
		switch {
		case v.Done && v.Err == nil && !v.Ignored:
			return delay, true
		case v.Done, !d.sleep(v.Delay):
			return 0, false
		}
		if a, state = d.begin(); a == nil {
			return 0, false
		}
	}
}

// begin describes an attempt on the newest state. It is nil if the daemon is to end, or the object is gone.
func (d *daemon) begin() (*handling.Attempt, uint64) {
	for try := 0; !d.stopper.stopped(); try++ {
		a, state, err := d.set.current().Begin(d.h)
		switch {
		case err == nil:
			return a, state
		case errors.Is(err, ErrGone):
			return nil, 0
		}
		delay := handling.ErrorDelay(try)
		d.ending.log.Error("the object cannot be read for a daemon; trying again", "handler", d.h.ID, "in", delay, "error", err)
		d.sleep(delay)
	}
	return nil, 0
}

// write sends what an attempt wants written, until that has happened. A daemon that is told to stop in between tries once more at once; it has
// not ended before.
func (d *daemon) write(plan *patch.Plan, log *slog.Logger) {
	told := false
	for try := 0; !plan.Empty(); try++ {
		left, err := d.set.current().Write(d.h, plan)
		if left.Empty() {
			return
		}
		plan = left
		delay := handling.ErrorDelay(try)
		if err == nil {
			delay = time.Duration(try) * movedDelay
		} else {
			log.Warn("what a daemon wants written is not written yet; trying again", "in", delay, "error", err)
		}
		if !told {
			told = !d.sleep(delay)
		} else if !handling.Pause(d.set.group.Context, delay) {
			log.Error("what a daemon wants written is given up", "error", err)
			return
		}
	}
}

// movedDelay spaces attempts to write to an object that is changing all the time.
const movedDelay = 100 * time.Millisecond

// sleep waits, and tells whether the daemon may go on.
func (d *daemon) sleep(delay time.Duration) bool {
	if d.stopper.stopped() {
		return false
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-d.stopper.done:
		return false
	}
}

// end takes the daemon out, and has the object looked at for what its end means.
func (d *daemon) end(own bool) {
	g := d.set.group
	g.mu.Lock()
	d.ending.stop()
	if !d.ending.abandoned {
		g.count(-1)
	}
	d.set.leave(d.index, own)
	object := d.set.object
	g.mu.Unlock()
	d.cancel(nil)
	object.Wake()
}
