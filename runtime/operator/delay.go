package operator

import (
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/daemon"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

// Delay is a time to wait, the same for all objects or asked of a function for each. Make it with [After] or [AfterFunc]; the zero value
// waits for nothing.
type Delay struct{ delay daemon.Delay }

// After makes a delay that is the same for all objects.
func After(d time.Duration) Delay { return Delay{daemon.Delay{Fixed: d}} }

// AfterFunc makes a delay of a bound method. An object that does not decode into the view is an error of that object alone.
func AfterFunc[V any](fn func(*Call[V]) time.Duration) Delay {
	return Delay{daemon.Delay{Of: func(a *handling.Attempt) (time.Duration, error) {
		c, err := newCall[V](a)
		if err != nil {
			return 0, err
		}
		return fn(c), nil
	}}}
}
