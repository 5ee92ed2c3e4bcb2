package operator

import (
	"context"
	"fmt"

	kjson "sigs.k8s.io/json"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/index"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

type (
	// None is the view of handlers that need nothing of their object.
	None struct{}
	// Spec is the view of handlers that need the spec alone.
	Spec[S any] struct {
		Spec S `json:"spec"`
	}
	// Status is the view of handlers that need the status alone.
	Status[S any] struct {
		Status S `json:"status"`
	}
)

// Func is a bound handler. Make it with [Bind], [BindChange] or [BindIndex].
type Func struct {
	run handling.Func
	// index is the id of the index that the handler fills, and table its part of that.
	index string
	table index.Table
}

// Told is what a handler is told with a call, for those who look on.
type Told struct {
	// ID is the handler's; the others identify the object.
	ID, UID, Namespace, Name string
	Reason                   kopf.Reason
	// New is the state that the call is for.
	New kopf.Raw
}

// Observed returns the handler with a function that is told of each call before it begins; package kopftest looks on like this.
func (f Func) Observed(look func(Told)) Func {
	run := f.run
	f.run = func(ctx context.Context, a *handling.Attempt) handling.Outcome {
		look(Told{ID: a.ID, UID: a.UID, Namespace: a.Namespace, Name: a.Name, Reason: a.Reason, New: a.New})
		return run(ctx, a)
	}
	return f
}

// Bind makes a handler of a bound method: it decodes the view, calls the method and gathers what it left behind. If the object does not
// decode into the view, the handler has failed for this change.
func Bind[V any](fn func(context.Context, *Call[V]) (any, error)) Func {
	return Func{run: func(ctx context.Context, a *handling.Attempt) handling.Outcome {
		c, err := newCall[V](a)
		if err != nil {
			return handling.Outcome{Err: err}
		}
		return c.outcome(fn(ctx, c))
	}}
}

// BindChange makes a handler of a bound method that takes the old and the new state: of the handler's field, or else of the object, or of
// the part of it that the path leads to. A state that is absent is the zero value.
func BindChange[V, O, N any](fn func(ctx context.Context, c *Call[V], old O, new N) (any, error), path ...string) Func {
	return Func{run: func(ctx context.Context, a *handling.Attempt) handling.Outcome {
		c, old, now, err := newChange[V, O, N](a, path)
		if err != nil {
			return handling.Outcome{Err: err}
		}
		return c.outcome(fn(ctx, c, old, now))
	}}
}

func newCall[V any](a *handling.Attempt) (*Call[V], error) {
	c := &Call[V]{attempt: a}
	if _, none := any(&c.view).(*None); none {
		return c, nil
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(a.Object, &c.view); err != nil {
		return nil, kopf.Permanent(&handling.UndecodableError{Err: fmt.Errorf("the object does not decode into %T: %w", c.view, err)})
	}
	return c, nil
}

// newChange is newCall with the two states of a change.
func newChange[V, O, N any](a *handling.Attempt, path []string) (c *Call[V], old O, now N, err error) {
	if c, err = newCall[V](a); err != nil {
		return nil, old, now, err
	}
	if old, err = state[O]("old", a.Old, path); err != nil {
		return nil, old, now, err
	}
	now, err = state[N]("new", a.New, path)
	return c, old, now, err
}

// state decodes one side of a change.
func state[S any](side string, raw kopf.Raw, path []string) (S, error) {
	s, err := part[S](raw, path)
	if err != nil {
		return s, kopf.Permanent(fmt.Errorf("the %s state %w", side, err))
	}
	return s, nil
}

// part decodes what the path leads to. What is absent is the zero value; errors go on from the name of the whole.
func part[S any](raw kopf.Raw, path []string) (S, error) {
	var s S
	raw, err := narrow(raw, path)
	if err != nil {
		return s, fmt.Errorf("does not decode: %w", err)
	}
	if asked, ok := any(&s).(*kopf.Raw); ok {
		*asked = raw
		return s, nil
	}
	if raw == nil {
		return s, nil
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &s); err != nil {
		return s, fmt.Errorf("does not decode into %T: %w", s, err)
	}
	return s, nil
}

// narrow cuts out what the path leads to.
func narrow(raw kopf.Raw, path []string) (kopf.Raw, error) {
	if raw == nil || len(path) == 0 {
		return raw, nil
	}
	whole, err := tree.Decode(raw)
	if err != nil {
		return nil, err
	}
	part, ok := tree.Get(whole, path...)
	if !ok {
		return nil, nil
	}
	return tree.Encode(part)
}
