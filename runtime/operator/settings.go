package operator

import "time"

// Settings are the properties of a running operator. A startup handler may change them by taking a *Settings.
type Settings struct {
	// Turns is how many objects are handled at once; 256 by default.
	Turns int
	// KeptBytes is how much memory the newest states of objects in progress may take before they are read again; 64 MiB by default.
	KeptBytes int
	// Grace is how long handlers may take to return once the operator has been told to stop; 25 s by default.
	Grace time.Duration
	// Silence is how long a stream may be quiet before it is renewed; 70 s by default, as in Kopf.
	Silence time.Duration
	// Backoff is the delay after an arbitrary error where no policy sets one; 60 s by default, as in Kopf.
	Backoff time.Duration
	// Timers is how many calls of timers run at once; 256 by default. Daemons are not counted.
	Timers int
	// CancellationPolling is how often it is said that a daemon that was told to end, and has no time limit for it, still runs; 60 s by default.
	// Nothing is polled: what waits for the end of a daemon is woken by it.
	CancellationPolling time.Duration
}

// fill sets what is zero to its default.
func (s *Settings) fill() {
	orDefault(&s.Turns, 256)
	orDefault(&s.KeptBytes, 64<<20)
	orDefault(&s.Grace, 25*time.Second)
	orDefault(&s.Silence, 70*time.Second)
	orDefault(&s.Backoff, time.Minute)
	orDefault(&s.Timers, 256)
	orDefault(&s.CancellationPolling, time.Minute)
}

func orDefault[T ~int | ~int64](value *T, otherwise T) {
	if *value <= 0 {
		*value = otherwise
	}
}
