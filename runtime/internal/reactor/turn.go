package reactor

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/logging"
)

// maxRounds is how many rounds of handling and patching one turn may have before the object is taken for one that feeds itself.
const maxRounds = 10

// maxHold bounds how long an object that feeds itself is deaf to news.
const maxHold = time.Minute

// restlessError ends a turn that does not come to rest by itself.
type restlessError struct {
	// called are the handlers of the last round.
	called []string
}

func (e *restlessError) Error() string {
	return fmt.Sprintf("not at rest after %d rounds, the last one of handlers %q: one of them reacts to its own changes, or is tried again without a delay",
		maxRounds, e.called)
}

// verdict is how a round ends.
type verdict struct {
	// next is when something is due; zero means never.
	next time.Time
	// again asks for another round at once, to look at what was written.
	again bool
	// called are the handlers that were called.
	called []string
}

// turn runs rounds on the newest state of an object until nothing is due now.
func (r *Reactor) turn(w *work) {
	log := r.Logger.With(logging.Object(logging.Reference{
		APIVersion: r.Resource.APIVersion(), Kind: r.Resource.Kind, Name: w.name, UID: w.uid, Namespace: w.namespace,
	}))
	for rounds := 1; r.begin(w); rounds++ {
		v, err := r.guarded(w, log)
		if err == nil && v.again && rounds >= maxRounds {
			err = &restlessError{v.called}
		}
		if r.settle(w, v, err, rounds, log) {
			return
		}
	}
	r.finish(w, log)
}

// begin starts a round, and tells whether there is one: not if the object is gone or the operator stops.
func (r *Reactor) begin(w *work) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.phase = running
	if w.gone || r.stopping {
		return false
	}
	w.fresh = false
	if w.late && !time.Now().Before(w.trust) {
		w.late, w.read = false, true
	}
	if w.read {
		r.release(w)
		w.read = false
	}
	return true
}

// guarded runs a round and makes a panic of the engine an error of this one object.
func (r *Reactor) guarded(w *work, log *slog.Logger) (v verdict, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			log.Error("a defect of the operator's runtime, please report it", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	return r.round(w, log)
}

// settle ends a round and tells whether the turn ends with it. Whether the object is gone or the operator stops is left to begin.
func (r *Reactor) settle(w *work, v verdict, err error, rounds int, log *slog.Logger) bool {
	ended, delay := r.decide(w, v, err, rounds)
	if err != nil {
		log.Error("the object could not be handled; trying again", "in", delay, "error", err)
	}
	return ended
}

func (r *Reactor) decide(w *work, v verdict, err error, rounds int) (ended bool, delay time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		delay = handling.ErrorDelay(w.failures)
		w.failures++
	}
	switch {
	case w.gone || r.stopping:
		return false, delay
	case err != nil:
		if _, restless := errors.AsType[*restlessError](err); restless {
			// News would only feed it. But it may also be what ends the matter, so do not keep it waiting for long.
			w.hold = time.Now().Add(min(delay, maxHold))
		}
		r.wait(w, time.Now().Add(delay))
		return true, delay
	case v.again, w.fresh && rounds < maxRounds:
		return false, 0
	}
	w.failures = 0
	if w.fresh || !v.next.IsZero() {
		r.wait(w, v.next) // in the former case, after others had a turn
	} else {
		r.rest(w)
	}
	return true, 0
}

// finish ends the last turn of an object: it is gone, or the operator stops, and what is not written yet must be now.
func (r *Reactor) finish(w *work, log *slog.Logger) {
	r.save(w, log)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case w.gone:
		r.leave(w)
	case r.stopping:
		w.phase = resting
		r.release(w)
	default:
		r.wait(w, time.Time{}) // it was taken for gone, and came back
	}
}

// newer tells whether a state arrived that the running round has not seen, or there is no point in going on.
func (r *Reactor) newer(w *work) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return w.fresh || w.gone || r.stopping
}
