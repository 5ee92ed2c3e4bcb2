package stream

import (
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

const (
	firstBackoff = 800 * time.Millisecond
	maxBackoff   = 30 * time.Second
	// absentBackoff bounds the time in which a resource that comes into being is found.
	absentBackoff = 5 * time.Second
	// healthy is the time without a failure after which the next one counts as the first.
	healthy = 2 * time.Minute
	// maxDelay bounds what a server may ask for.
	maxDelay = 5 * time.Minute
)

// backoff is the waiting between attempts that failed.
type backoff struct {
	step time.Duration
	last time.Time // when the last wait was over
}

// next returns how long to wait after err: 0.8 s at first, twice that each time up to 30 s, plus up to as much at random so that the streams
// of many operators do not return together; longer if the server has asked for it.
func (b *backoff) next(err error) time.Duration {
	now := time.Now()
	if b.step == 0 || now.Sub(b.last) >= healthy {
		b.step = firstBackoff
	}
	wait := min(b.step+rand.N(b.step), maxBackoff)
	b.step = min(2*b.step, maxBackoff)
	if kindOf(err) == absent {
		wait = min(wait, absentBackoff)
	}
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
		wait = max(wait, min(time.Duration(seconds)*time.Second, maxDelay))
	}
	b.last = now.Add(wait)
	return wait
}
