package daemon

import (
	"fmt"
	"log/slog"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// ending is how far a daemon that was told to end has been taken. Each step is made by a timer, and all under the group's lock.
type ending struct {
	log *slog.Logger
	// step makes the next step; nil is none.
	step *time.Timer
	// since is when the daemon was told.
	since time.Time
	// over tells that it has ended; abandoned, that nobody waits for it any longer.
	over, abandoned bool
}

// stop tells the daemon to end, and what happens if it does not: its context is cancelled after the backoff, at once if there is none; after
// the timeout it is abandoned.
func (d *daemon) stop(reason kopf.StopReason) {
	if !d.stopper.add(reason) {
		return
	}
	d.ending.since = time.Now()
	if d.h.Ending.Backoff > 0 {
		d.stopper.add(kopf.StopDaemonSignalled)
		d.later(d.h.Ending.Backoff, d.cut)
		return
	}
	d.cut()
}

// cut cancels the daemon's context.
func (d *daemon) cut() {
	d.stopper.add(kopf.StopDaemonCancelled)
	d.cancel(d.stopper.cause())
	if d.h.Ending.Timeout > 0 {
		d.later(d.h.Ending.Timeout, d.abandon, func() { d.set.current().Wake() })
		return
	}
	d.remind()
}

// remind says again and again that a daemon that has no time limit still runs.
func (d *daemon) remind() {
	d.later(d.h.Ending.Polling, func() {
		d.ending.log.Warn(fmt.Sprintf("daemon %q was told to end and still runs", d.h.ID), "for", time.Since(d.ending.since), "reasons", d.stopper.Reasons())
		d.remind()
	})
}

func (d *daemon) abandon() {
	if d.ending.over || d.ending.abandoned {
		return
	}
	d.ending.abandoned = true
	d.stopper.add(kopf.StopDaemonAbandoned)
	d.cancel(d.stopper.cause())
	d.set.group.count(-1)
	d.ending.log.Warn(fmt.Sprintf("daemon %q did not end in time; it is abandoned", d.h.ID), "reasons", d.stopper.Reasons())
}

// later makes a step after a while, unless the daemon has ended by then, and calls what is to follow without the lock.
func (d *daemon) later(delay time.Duration, step func(), then ...func()) {
	if delay <= 0 {
		return
	}
	d.ending.step = time.AfterFunc(delay, func() {
		if d.still(step) {
			for _, follow := range then {
				follow()
			}
		}
	})
}

// still makes a step if the daemon has not ended, and tells so.
func (d *daemon) still(step func()) bool {
	d.set.group.mu.Lock()
	defer d.set.group.mu.Unlock()
	if d.ending.over || d.ending.abandoned {
		return false
	}
	step()
	return true
}

// stop notes that the daemon has ended.
func (e *ending) stop() {
	e.over = true
	if e.step != nil {
		e.step.Stop()
	}
}

// touched is nothing to a daemon, which follows the object by itself.
func (d *daemon) touched() {}

func (d *daemon) holds() bool { return !d.ending.abandoned }
