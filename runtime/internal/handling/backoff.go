package handling

import (
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// defaultBackoff is Kopf's.
const defaultBackoff = time.Minute

// Delay returns the time between an attempt, counted from 1, and the next. A random part, for which random is from 0 to 1, takes up to a
// tenth off an exponential one, so that it never exceeds the upper limit.
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
