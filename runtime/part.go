package kopf

import (
	"context"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/scope"
)

// Part is what has become of a sub-handler.
type Part struct {
	// ID is the part's own, without that of its parent.
	ID    string
	State PartState
	// Message is the text of the last error; empty if the last attempt had none, or there was none.
	Message string
	// Result is what the part returned, as it stands in the status, where it outlives the process; nil if there is nothing. A part that
	// returns nothing leaves there what it returned for an earlier change.
	Result Raw
}

// PartState is how far a sub-handler has come.
type PartState string

// The states of a sub-handler.
const (
	// PartOpen: it is unfinished, or waits for others.
	PartOpen PartState = "open"
	// PartSucceeded: it is done.
	PartSucceeded PartState = "succeeded"
	// PartFailed: it was given up.
	PartFailed PartState = "failed"
	// PartBlocked: it was not run because a part that it comes after has failed.
	PartBlocked PartState = "blocked"
	// PartSkipped: it was left out.
	PartSkipped PartState = "skipped"
)

// Parts are sub-handlers of one parent, in the order in which they were named.
type Parts []Part

// Find returns the part with the id, or one that is open and has no result if there is no such part.
func (p Parts) Find(id string) Part {
	for _, part := range p {
		if part.ID == id {
			return part
		}
	}
	return Part{ID: id, State: PartOpen}
}

// Failed returns the parts that have failed, without those that were blocked by it.
func (p Parts) Failed() Parts {
	var failed Parts
	for _, part := range p {
		if part.State == PartFailed {
			failed = append(failed, part)
		}
	}
	return failed
}

// Siblings returns, in a sub-handler, what has become of those that were named before it. The context must be the sub-handler's; anywhere
// else there are none.
func Siblings(ctx context.Context) Parts {
	if a := scope.From(ctx); a != nil {
		return parts(a.Siblings())
	}
	return nil
}

// Children returns, in a handler or sub-handler, what has become of its own parts, as far as [Execute] has been told of them.
func Children(ctx context.Context) Parts {
	if a := scope.From(ctx); a != nil {
		return parts(a.Children())
	}
	return nil
}

func parts(plain []scope.Part) Parts {
	out := make(Parts, len(plain))
	for i, p := range plain {
		out[i] = Part{ID: p.ID, State: PartState(p.State), Message: p.Message, Result: p.Result}
	}
	return out
}

// Attempt is one call of a handler or sub-handler.
type Attempt struct {
	// ID is the full one.
	ID string
	// Retry counts the attempts before this one, for this change. Those that only waited do not count.
	Retry int
	// Started is when the first of them was made.
	Started time.Time
}

// CurrentAttempt tells a sub-handler, which is given nothing but its context, which attempt it is. Elsewhere than in handlers of changes
// it is the zero value.
func CurrentAttempt(ctx context.Context) Attempt {
	if a := scope.From(ctx); a != nil {
		return Attempt(a.Current())
	}
	return Attempt{}
}
