package kopf

import (
	"fmt"
	"time"
)

// TemporaryError asks for another attempt after a delay. Make it with [Temporary].
type TemporaryError struct {
	// Err says what went wrong.
	Err error
	// After is the delay before the next attempt; 0 means at once.
	After time.Duration
}

// Temporary marks err as one that will pass: the handler is called again after the delay, 0 meaning at once, until its retries or its
// timeout are used up. Temporary(nil, d) is nil.
func Temporary(err error, after time.Duration) error {
	if err == nil {
		return nil
	}
	return &TemporaryError{Err: err, After: after}
}

func (e *TemporaryError) Error() string { return e.Err.Error() }

// Unwrap returns the marked error.
func (e *TemporaryError) Unwrap() error { return e.Err }

// PermanentError ends a handler, as failed, for this change. Make it with [Permanent].
type PermanentError struct {
	// Err says what went wrong.
	Err error
}

// Permanent marks err as final: the handler is not called again for this change, but is for the next one. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &PermanentError{Err: err}
}

func (e *PermanentError) Error() string { return e.Err.Error() }

// Unwrap returns the marked error.
func (e *PermanentError) Unwrap() error { return e.Err }

// WaitError asks for another call without anything having failed. Make it with [Wait].
type WaitError struct {
	// After is the delay before the next call; 0 means at once.
	After time.Duration
}

// Wait asks to be called again after the delay because something is not there yet. It uses up no retry and is logged at debug level only,
// but the time counts towards the timeout.
func Wait(after time.Duration) error { return &WaitError{After: after} }

func (e *WaitError) Error() string { return fmt.Sprintf("waiting for %v", e.After) }
