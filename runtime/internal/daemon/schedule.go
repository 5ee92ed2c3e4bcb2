package daemon

import (
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

// next is when a timer runs again.
type next struct {
	// at is the time, if it is known.
	at time.Time
	// change means that the next change of the object begins the time of idling; it is not known yet.
	change bool
	// never means that the timer has ended.
	never bool
}

// after decides when a timer runs again, given how a run ended that began and ended at the given times, and when the object changed last. That
// the object must have been idle by then is not part of it.
//
// As in Kopf, an error's delay overrides the interval, and a sharp interval is counted from the begin of the run, of which points that have
// passed are skipped. Otherwise than in Kopf, and as its documentation says, a permanent error ends the timer. One that has used up its
// retries or its time gives up this run only.
func (t *Timer) after(v handling.Verdict, began, ended, changed time.Time) next {
	switch {
	case !v.Done:
		return next{at: ended.Add(v.Delay)}
	case v.Err != nil && !v.Exhausted:
		return next{never: true}
	case t.Interval > 0 && t.Sharp:
		return next{at: ended.Add(t.Interval - ended.Sub(began)%t.Interval)}
	case t.Interval > 0:
		return next{at: ended.Add(t.Interval)}
	case t.Idle > 0 && changed.After(began):
		return next{at: changed.Add(t.Idle)}
	case t.Idle > 0:
		return next{change: true}
	}
	return next{never: true}
}

// unquiet returns how long the object has to stay as it is until the timer may run.
func (t *Timer) unquiet(changed, now time.Time) time.Duration {
	if t.Idle == 0 {
		return 0
	}
	return max(0, t.Idle-now.Sub(changed))
}
