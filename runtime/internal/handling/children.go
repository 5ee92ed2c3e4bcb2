package handling

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/kopfgen/kopfgen/internal/annotation"
	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/scope"
)

// executor runs the sub-handlers of one attempt of a handler. It is reached through the context of the attempt.
type executor struct {
	round *round
	// id is the handler's, own its record.
	id  string
	own *record.Record
	// outer is the executor of the handler that this one is a part of; nil for a handler that is no part.
	outer *executor
	// seen is what the handler looks at, and so its parts, if they do not say otherwise.
	seen any
	// reopens tells that the handler is called for every change, and that parts that look at the same are called again with it.
	reopens bool
	// known are the annotations of the parts named so far, by which two that would share one are found.
	known map[string]bool
	// parts are those that Execute has come to, in order.
	parts []*part
	// open tells that parts are unfinished, the first of which is due next.
	open bool
	next time.Time
	// tried tells that one of them was called.
	tried bool
	// running tells that parts are being called, over that the attempt has ended.
	running, over atomic.Bool
}

// openError is what Execute returns while parts are unfinished.
type openError struct{ parent string }

func (e *openError) Error() string { return fmt.Sprintf("sub-handlers of %q are unfinished", e.parent) }

// isOpen tells whether an error only says that sub-handlers are unfinished.
func isOpen(err error) bool {
	_, ok := errors.AsType[*openError](err)
	return ok
}

// Execute implements scope.Attempt.
func (e *executor) Execute(ctx context.Context, subs []scope.Sub) error {
	if e.over.Load() {
		return fmt.Errorf("handler %q has returned; its sub-handlers run only while it does", e.id)
	}
	if !e.running.CompareAndSwap(false, true) {
		return fmt.Errorf("sub-handlers of %q are running; they run one after the other, and their own sub-handlers with their own context", e.id)
	}
	defer e.running.Store(false)
	if err := e.name(subs); err != nil {
		return err
	}
	first := len(e.parts)
	for _, s := range subs {
		if err := e.run(ctx, s); err != nil {
			return err
		}
	}
	if e.open {
		return &openError{e.id}
	}
	return failure(e.parts[first:])
}

// name checks the ids of all parts before any of them runs.
func (e *executor) name(subs []scope.Sub) error {
	known := maps.Clone(e.known)
	if known == nil {
		known = map[string]bool{}
	}
	before := make([]string, 0, len(e.parts)+len(subs))
	for _, p := range e.parts {
		before = append(before, p.ID)
	}
	for _, s := range subs {
		id := e.id + "/" + s.ID
		if s.ID == "" {
			return fmt.Errorf("a sub-handler of %q has no id", e.id)
		}
		if s.Run == nil {
			return fmt.Errorf("sub-handler %q has nothing to run", id)
		}
		if err := annotation.LegalID(annotation.KopfPrefix, id); err != nil {
			return fmt.Errorf("sub-handler %q: %w", id, err)
		}
		key := annotation.V2(annotation.KopfPrefix, id)
		if known[key] {
			return fmt.Errorf("sub-handler %q exists twice", id)
		}
		known[key] = true
		for _, other := range s.After {
			if !slices.Contains(before, other) {
				return fmt.Errorf("sub-handler %q comes after %q, which is not listed before it", id, other)
			}
		}
		before = append(before, s.ID)
	}
	e.known = known
	return nil
}

// failure is the error for required parts that have failed, or nil.
func failure(parts []*part) error {
	var errs []error
	for _, p := range parts {
		switch {
		case !p.Required:
		case p.state == kopf.PartFailed:
			errs = append(errs, fmt.Errorf("sub-handler %q failed: %s", p.id, p.message()))
		case p.state == kopf.PartBlocked:
			errs = append(errs, fmt.Errorf("sub-handler %q was not run, since one that it comes after failed", p.id))
		}
	}
	return kopf.Permanent(errors.Join(errs...))
}

// Children implements scope.Attempt.
func (e *executor) Children() []scope.Part { return e.describe(e.parts) }

// Siblings implements scope.Attempt.
func (e *executor) Siblings() []scope.Part {
	if e.outer == nil {
		return nil
	}
	// The part that runs is the last that its parent has come to.
	return e.outer.describe(e.outer.parts[:len(e.outer.parts)-1])
}

// Current implements scope.Attempt.
func (e *executor) Current() scope.Current {
	return scope.Current{ID: e.id, Retry: e.own.Retries, Started: e.own.Started}
}

func (e *executor) describe(parts []*part) []scope.Part {
	out := make([]scope.Part, len(parts))
	for i, p := range parts {
		out[i] = scope.Part{ID: p.ID, State: string(p.state), Message: p.message(), Result: e.round.result(p.id)}
	}
	return out
}
