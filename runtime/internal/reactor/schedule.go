package reactor

import (
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// wake queues a turn for an object that has none. The lock is held.
func (r *Reactor) wake(w *work) {
	if w.phase == queued || w.phase == running || w.gone || r.stopping {
		return
	}
	if early := time.Until(w.hold); early > 0 {
		w.phase = waiting
		r.arm(w, early)
		return
	}
	w.stopTimer()
	r.queue(w)
}

func (r *Reactor) queue(w *work) {
	w.phase = queued
	r.Turns.Go(func() { r.turn(w) })
}

// wait ends a turn, and wakes the object at the given time unless that is zero, or sooner if there is news. The lock is held.
func (r *Reactor) wait(w *work, until time.Time) {
	w.phase = waiting
	if w.fresh {
		r.wake(w)
		return
	}
	if time.Now().Before(w.trust) && (until.IsZero() || w.trust.Before(until)) {
		until = w.trust
	}
	if !until.IsZero() {
		r.arm(w, time.Until(until))
	}
}

// arm sets the timer of an object.
func (r *Reactor) arm(w *work, delay time.Duration) {
	delay = max(0, delay)
	if w.timer != nil {
		w.timer.Reset(delay)
		return
	}
	w.timer = time.AfterFunc(delay, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.wake(w)
	})
}

func (w *work) stopTimer() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// rest ends a turn after which nothing is due: only the entry of the object stays, unless handlers keep a memo of it. The lock is held.
func (r *Reactor) rest(w *work) {
	if time.Now().Before(w.trust) {
		r.wait(w, w.trust)
		return
	}
	w.phase = resting
	r.release(w)
	w.memory, w.timer, w.trust = progress.Memory{}, nil, time.Time{}
	if !w.memos.Empty() {
		return
	}
	delete(r.works, w.key)
	w.gone = true // keeps a timer that has already fired from waking it
}

// drop forgets an object that is gone. If its turn is running, the turn ends by itself; until then the entry stays, and keeps another turn
// from beginning should the object come back. The lock is held.
func (r *Reactor) drop(k skim.Key, e entry) {
	r.unindex(k)
	w, ok := r.works[k]
	if !ok {
		delete(r.objects, k)
		return
	}
	w.gone = true
	w.stopTimer()
	r.release(w)
	if w.phase != running {
		r.forget(k)
		return
	}
	w.deleted = true
	e.version, e.ahead = 0, false
	r.objects[k] = e
}

// leave ends a turn of an object that is gone. The object is remembered until the event of its deletion, or a list without it, together with
// what is to be done should neither come: if it were forgotten now, an event from before its end could make it look new. The lock is held.
func (r *Reactor) leave(w *work) {
	w.phase = resting
	r.release(w)
	w.fresh = false
	if w.deleted {
		r.forget(w.key)
	}
}

func (r *Reactor) forget(k skim.Key) {
	r.unindex(k)
	delete(r.objects, k)
	delete(r.works, k)
}
