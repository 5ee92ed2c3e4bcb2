package handling

import (
	"context"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// defaultBackoff is Kopf's.
const defaultBackoff = time.Minute

// Delay returns the time between an attempt, counted from 1, and the next. From an exponential delay, random, between 0 and 1, takes off up
// to a tenth, so that the upper limit is never exceeded.
func Delay(b kopf.Backoff, attempt int, random float64) time.Duration {
	switch {
	case b.From == kopf.AtOnce:
		return 0
	case b.From == 0:
		return defaultBackoff
	case b.To == 0:
		return b.From
	}
	delay := b.From
	for range attempt - 1 {
		if delay >= b.To/2 {
			delay = b.To
			break
		}
		delay *= 2
	}
	return delay - time.Duration(random*float64(delay)/10)
}

// Pause waits, and tells whether the context still lasts.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// errorDelays are the pauses after errors outside of the handlers, in a row, as in Kopf; the last one repeats.
var errorDelays = [...]time.Duration{1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610}

// ErrorDelay returns the pause after an error outside of the handlers, which was preceded by so many failures in a row.
func ErrorDelay(failures int) time.Duration {
	return errorDelays[min(failures, len(errorDelays)-1)] * time.Second
}
