package model

// Schedule says when a daemon or timer runs, and how a daemon is ended.
type Schedule struct {
	InitialDelay   Delay
	Interval, Idle Period
	Sharp          bool

	CancellationBackoff, CancellationTimeout, CancellationPolling Period
}

// Delay is a time to wait, the same for all objects or asked of a function for each.
type Delay struct {
	Period
	// Func is bound like a filter, and returns a time.Duration.
	Func *Func
}
