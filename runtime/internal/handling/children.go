package handling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync/atomic"
	"time"

	"github.com/kopfgen/kopfgen/internal/annotation"
	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/scope"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// executor runs the sub-handlers of one attempt of a handler. It is reached through the context of the attempt.
type executor struct {
	round  *round
	parent string
	// seen is what the parent looks at, and so its children, if they do not say otherwise.
	seen any
	// reopens tells that the parent is called for every change, and that children that look at the same are called again with it.
	reopens bool
	// lineage are the records of the parent and of its own parents; all of them name the children.
	lineage []*record.Record
	// known are the annotations of the children named so far.
	known map[string]bool
	// open tells that children are unfinished, the first of which is due next.
	open bool
	next time.Time
	// tried tells that one of them was called.
	tried bool
	// running tells that sub-handlers are being called, over that the attempt has ended.
	running, over atomic.Bool
}

// openError is what Execute returns while children are unfinished.
type openError struct{ parent string }

func (e *openError) Error() string { return fmt.Sprintf("sub-handlers of %q are unfinished", e.parent) }

// Execute implements scope.Executor.
func (e *executor) Execute(ctx context.Context, subs []scope.Sub) error {
	if e.over.Load() {
		return fmt.Errorf("handler %q has returned; its sub-handlers run only while it does", e.parent)
	}
	if !e.running.CompareAndSwap(false, true) {
		return fmt.Errorf("sub-handlers of %q are running; they run one after the other, and their own sub-handlers with their own context", e.parent)
	}
	defer e.running.Store(false)
	if err := e.name(subs); err != nil {
		return err
	}
	for _, s := range subs {
		if err := e.child(ctx, s); err != nil {
			return err
		}
	}
	if e.open {
		return &openError{e.parent}
	}
	return nil
}

// name checks the ids of all children before any of them runs.
func (e *executor) name(subs []scope.Sub) error {
	known := maps.Clone(e.known)
	if known == nil {
		known = map[string]bool{}
	}
	for _, s := range subs {
		id := e.parent + "/" + s.ID
		if s.ID == "" {
			return fmt.Errorf("a sub-handler of %q has no id", e.parent)
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
	}
	e.known = known
	return nil
}

// child runs one sub-handler if it is due. It fails only if the value of the sub-handler does not encode.
func (e *executor) child(ctx context.Context, s scope.Sub) error {
	id := e.parent + "/" + s.ID
	seen := e.seen
	if s.Value != nil {
		var err error
		if seen, err = tree.Of(s.Value); err != nil {
			return fmt.Errorf("the value of sub-handler %q: %w", id, err)
		}
	}
	own := e.record(id, seen, s.Value != nil)
	for _, ancestor := range e.lineage {
		ancestor.AddSubrefs(id)
	}
	r := e.round
	r.records[id] = own
	if own.Finished() {
		return nil
	}
	if !own.Sleeping(r.Now()) && !r.interrupted(ctx, e.tried) {
		e.tried = true
		r.try(ctx, trial{
			id: id, policy: e.policy(s), result: id, record: own, seen: seen,
			children: &executor{
				round: r, parent: id, seen: seen, reopens: e.reopens || s.Value != nil,
				lineage: append([]*record.Record{own}, e.lineage...),
			},
			run: func(ctx context.Context) Outcome { return result(s.Run(ctx)) },
		})
	}
	if !own.Finished() && (!e.open || own.Delayed.Before(e.next)) {
		e.next = own.Delayed
	}
	e.open = e.open || !own.Finished()
	return nil
}

// record returns the record that a sub-handler goes on from.
func (e *executor) record(id string, seen any, explicit bool) *record.Record {
	r := e.round
	stored, ok := r.records[id]
	if !ok {
		if stored, ok = r.Records([]string{id})[id]; ok {
			r.stored[id] = stored
		}
	}
	return progress.Child(stored, progress.Look{
		Reason: r.cause.Reason, Seen: seen, Essence: r.Essence, Explicit: explicit, Reopens: e.reopens, Time: r.now,
	})
}

// policy fills what the sub-handler leaves open with the operator's defaults.
func (e *executor) policy(s scope.Sub) kopf.Policy {
	return Fill(kopf.Policy{
		Retries: s.Retries, Timeout: s.Timeout,
		Backoff: kopf.Backoff{From: s.BackoffFrom, To: s.BackoffTo},
		Errors:  kopf.ErrorsMode(s.Errors),
	}, e.round.Resource.Defaults)
}

// result encodes what a sub-handler returned; a null is no result.
func result(value any, err error) Outcome {
	if err != nil || value == nil {
		return Outcome{Err: err}
	}
	data, err := json.Marshal(value)
	if err != nil {
		return Outcome{Err: kopf.Permanent(fmt.Errorf("the result: %w", err))}
	}
	if string(data) == "null" {
		return Outcome{}
	}
	return Outcome{Result: data}
}

// isOpen tells whether an error only says that sub-handlers are unfinished.
func isOpen(err error) bool {
	_, ok := errors.AsType[*openError](err)
	return ok
}
