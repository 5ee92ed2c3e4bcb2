// Package scope carries the running attempt of a handler in its context, in plain types. Package handling puts it there; package kopf reaches
// the engine through it without importing it.
package scope

import (
	"context"
	"time"
)

// Sub is a sub-handler in plain types; its fields are those of kopf.Sub and kopf.Policy.
type Sub struct {
	ID                     string
	Value                  any
	Skip, Always, Required bool
	After                  []string
	Retries                int
	Timeout                time.Duration
	BackoffFrom            time.Duration
	BackoffTo              time.Duration
	Errors                 string
	Run                    func(context.Context) (any, error)
}

// Part is kopf.Part in plain types.
type Part struct {
	ID, State, Message string
	Result             []byte
}

// Current is kopf.Attempt in plain types.
type Current struct {
	ID      string
	Retry   int
	Started time.Time
}

// Attempt is what a running attempt offers to its handler.
type Attempt interface {
	// Execute runs the sub-handlers that are due and returns an error while any of them is unfinished.
	Execute(ctx context.Context, subs []Sub) error
	// Children are the sub-handlers that Execute was told of, Siblings those that were named before this one.
	Children() []Part
	Siblings() []Part
	// Current describes the attempt.
	Current() Current
}

type key struct{}

// With returns a context in which [From] finds the attempt.
func With(ctx context.Context, a Attempt) context.Context { return context.WithValue(ctx, key{}, a) }

// From returns the running attempt, or nil where there is none.
func From(ctx context.Context) Attempt {
	a, _ := ctx.Value(key{}).(Attempt)
	return a
}
