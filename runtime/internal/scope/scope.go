// Package scope carries the running attempt of a handler in its context, in plain types. Package handling puts it there; package kopf reaches
// the engine through it without importing it.
package scope

import (
	"context"
	"time"
)

// Sub is a sub-handler in plain types; its fields are those of kopf.Sub and kopf.Policy.
type Sub struct {
	ID          string
	Value       any
	Retries     int
	Timeout     time.Duration
	BackoffFrom time.Duration
	BackoffTo   time.Duration
	Errors      string
	Run         func(context.Context) (any, error)
}

// Executor is what a running attempt offers to its handler.
type Executor interface {
	// Execute runs the sub-handlers that are due and returns an error while any of them is unfinished.
	Execute(ctx context.Context, subs []Sub) error
}

type key struct{}

// With returns a context in which [From] finds the executor.
func With(ctx context.Context, e Executor) context.Context { return context.WithValue(ctx, key{}, e) }

// From returns the executor of the running attempt, or nil where there is none.
func From(ctx context.Context) Executor {
	e, _ := ctx.Value(key{}).(Executor)
	return e
}
