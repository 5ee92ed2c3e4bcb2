// Package daemon runs what goes on beside objects: daemons, each a goroutine for as long as its object is there, and timers, which have no
// goroutine while they wait. Package reactor tells it, with each state of an object that it looks at, which handlers the object is for; this
// package starts and ends them, makes their attempts, and hands what they want written back.
//
// What runs is remembered here and not in the reactor, so that no handler ever runs twice for one object, whatever becomes of the streams that
// tell of it.
package daemon

import (
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

// Handler is a daemon or a timer, resolved for running.
type Handler struct {
	handling.Handler
	// InitialDelay is the time between the start and the first attempt.
	InitialDelay Delay
	// Ending says how a daemon is ended; timers have none.
	Ending Ending
	// Timer is nil for a daemon.
	Timer *Timer
}

// Delay is a time to wait: that of the function, if there is one, which is asked at each start.
type Delay struct {
	Fixed time.Duration
	Of    func(*handling.Attempt) (time.Duration, error)
}

// Ending says how a daemon is ended: it is told; its context is cancelled after Backoff; and after Timeout more, unless that is zero, nobody
// waits for it any longer. That a daemon without a timeout still runs is said every Polling.
type Ending struct {
	Backoff, Timeout, Polling time.Duration
}

// Timer says when a timer runs.
type Timer struct {
	// Interval is the time from the end of a run to the next, or from one begin to another if Sharp; zero means that it runs once, or once
	// after each Idle.
	Interval time.Duration
	Sharp    bool
	// Idle is how long the object must not have changed.
	Idle time.Duration
}
