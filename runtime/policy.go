package kopf

import "time"

// Policy says how often and how long a handler is tried. Zero values stand for the operator's defaults.
type Policy struct {
	// Retries is the number of attempts permitted in all: with 3, a handler is called at most three times. [Unlimited] lifts a default.
	Retries int
	// Timeout limits the time from the first attempt to the start of another; a running attempt is not interrupted. [Unlimited] lifts a
	// default.
	Timeout time.Duration
	// Backoff is the delay after an error that is neither temporary nor permanent; 60 s by default, as in Kopf.
	Backoff Backoff
	// Errors says what such an error means.
	Errors ErrorsMode
}

// Unlimited, as retries or timeout of a [Policy], lifts the operator's default.
const Unlimited = -1

// AtOnce, as From of a [Backoff], asks for the next attempt without delay.
const AtOnce time.Duration = -1

// Backoff is the delay between attempts: From alone is a fixed one; with To it starts at From and doubles with each attempt up to To, with
// a random part of up to a tenth so that many objects do not retry in step.
type Backoff struct{ From, To time.Duration }

// ErrorsMode says what an error means that is neither temporary nor permanent.
type ErrorsMode string

// The modes of errors.
const (
	// ErrorsDefault is the mode of the handler's kind: temporary for handlers of changes.
	ErrorsDefault ErrorsMode = ""
	// ErrorsTemporary retries after the backoff.
	ErrorsTemporary ErrorsMode = "temporary"
	// ErrorsPermanent gives the handler up for this change.
	ErrorsPermanent ErrorsMode = "permanent"
	// ErrorsIgnored logs the error and counts the handler as done, without a result.
	ErrorsIgnored ErrorsMode = "ignored"
)
