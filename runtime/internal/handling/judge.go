package handling

import (
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// impatience is the delay after errors of the API server that pass by themselves, if it does not suggest one.
const impatience = time.Second

// Attempted is how often and how long a handler was tried for one change, including the attempt that is judged.
type Attempted struct {
	// Retries counts the attempts. An attempt that only waited, or only waited for sub-handlers, does not count.
	Retries int
	// Runtime is the time since the handler was first due.
	Runtime time.Duration
	// Random, from 0 to 1, spreads the delays of exponential backoffs.
	Random float64
}

// Verdict is what an attempt comes to.
type Verdict struct {
	// Done tells that the handler is not called again for this change, Err why it has failed. After an Ignored error it counts as done,
	// without a result. Exhausted tells that it was its retries or its time that came to an end.
	Done, Ignored, Exhausted bool
	Err                      error
	// Delay is the time to the next attempt if it is not done. Waiting tells that nothing has failed.
	Delay   time.Duration
	Waiting bool
}

// Judge decides what a handler's error means. First counts what it says itself, with kopf's errors; then what the API server says about an
// error of its own; then the mode of the policy. As in Kopf, a handler is given up as soon as it is known that the next attempt would come too
// late or be one too many.
func Judge(p kopf.Policy, err error, a Attempted) Verdict {
	if err == nil {
		return Verdict{Done: true}
	}
	switch own := own(err).(type) {
	case *kopf.PermanentError:
		return Verdict{Done: true, Err: err}
	case *kopf.TemporaryError:
		return retry(p, err, own.After, a)
	case *kopf.WaitError:
		return wait(p, err, own.After, a)
	}
	if delay, passing := passing(err); passing {
		return retry(p, err, delay, a)
	}
	switch p.Errors {
	case kopf.ErrorsIgnored:
		return Verdict{Done: true, Ignored: true}
	case kopf.ErrorsPermanent:
		return Verdict{Done: true, Err: err}
	}
	return retry(p, err, Delay(p.Backoff, a.Retries, a.Random), a)
}

// Exhausted returns an error if the policy forbids the next attempt; a describes the attempts before it.
func Exhausted(p kopf.Policy, a Attempted) error {
	switch {
	case p.Timeout > 0 && a.Runtime >= p.Timeout:
		return fmt.Errorf("timed out after %v", a.Runtime.Round(time.Millisecond))
	case p.Retries > 0 && a.Retries >= p.Retries:
		return fmt.Errorf("exceeded %d retries", p.Retries)
	}
	return nil
}

func retry(p kopf.Policy, err error, delay time.Duration, a Attempted) Verdict {
	a.Runtime += delay
	switch {
	case p.Timeout > 0 && a.Runtime >= p.Timeout:
		return Verdict{Done: true, Exhausted: true, Err: fmt.Errorf("the next attempt would exceed the timeout of %v: %w", p.Timeout, err)}
	case p.Retries > 0 && a.Retries >= p.Retries:
		return Verdict{Done: true, Exhausted: true, Err: fmt.Errorf("exceeded %d retries: %w", p.Retries, err)}
	}
	return Verdict{Delay: delay}
}

// wait is for handlers that are not ready: it costs time, but no retry.
func wait(p kopf.Policy, err error, delay time.Duration, a Attempted) Verdict {
	a.Retries = 0
	v := retry(p, err, delay, a)
	v.Waiting = !v.Done
	return v
}

// own returns the outermost of kopf's own errors in the tree of err, or nil.
func own(err error) error {
	switch e := err.(type) {
	case *kopf.PermanentError, *kopf.TemporaryError, *kopf.WaitError:
		return err
	case interface{ Unwrap() error }:
		return own(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			if found := own(part); found != nil {
				return found
			}
		}
	}
	return nil
}

// passing tells whether an error is one of the API server that passes by itself, and after what delay to try again.
func passing(err error) (time.Duration, bool) {
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 {
		return time.Duration(seconds) * time.Second, true
	}
	for _, is := range []func(error) bool{
		apierrors.IsConflict, apierrors.IsTooManyRequests, apierrors.IsServerTimeout, apierrors.IsTimeout, apierrors.IsServiceUnavailable,
	} {
		if is(err) {
			return impatience, true
		}
	}
	return 0, false
}

// PanicError is what a handler or filter panicked with.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }
