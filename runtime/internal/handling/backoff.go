package handling

import (
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
