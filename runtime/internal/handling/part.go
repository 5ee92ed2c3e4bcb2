package handling

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/scope"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// part is a sub-handler that Execute has come to.
type part struct {
	scope.Sub
	// id is the full one.
	id    string
	state kopf.PartState
	// record is nil for a part that was left out or blocked before it was tried.
	record *record.Record
}

// message is the text of the last error.
func (p *part) message() string {
	if p.record == nil || p.record.Message == nil {
		return ""
	}
	return *p.record.Message
}

// run comes to one part, and calls it if it is due. It fails only if the value of the part does not encode.
func (e *executor) run(ctx context.Context, s scope.Sub) error {
	p := &part{Sub: s, id: e.id + "/" + s.ID}
	seen := e.seen
	if s.Value != nil {
		var err error
		if seen, err = tree.Of(s.Value); err != nil {
			return fmt.Errorf("the value of sub-handler %q: %w", p.id, err)
		}
	}
	own := e.record(p.id, seen, s.Value != nil)
	p.state = e.readiness(p, own)
	e.parts = append(e.parts, p)
	r := e.round
	if p.state == kopf.PartOpen || own.Finished() {
		p.record = own
		r.records[p.id] = own
		for up := e; up != nil; up = up.outer {
			up.own.AddSubrefs(p.id)
		}
	}
	if p.state != kopf.PartOpen {
		return nil
	}
	waits := e.waits(p)
	if !waits && !own.Sleeping(r.Now()) && !r.interrupted(ctx, e.tried) {
		e.tried = true
		r.try(ctx, trial{
			id: p.id, policy: e.policy(s), result: p.id, record: own, seen: seen,
			children: &executor{round: r, id: p.id, own: own, outer: e, seen: seen, reopens: e.reopens || s.Value != nil},
			run:      func(ctx context.Context) Outcome { return result(s.Run(ctx)) },
		})
		p.state = state(own)
	}
	if p.state != kopf.PartOpen {
		return nil
	}
	// A part that waits for others is due when they have ended, which is later.
	if !waits && (!e.open || own.Delayed.Before(e.next)) {
		e.next = own.Delayed
	}
	e.open = true
	return nil
}

// state is what a record says of its part.
func state(own *record.Record) kopf.PartState {
	switch {
	case own.Success:
		return kopf.PartSucceeded
	case own.Failure:
		return kopf.PartFailed
	}
	return kopf.PartOpen
}

// readiness tells what has become of a part before it is called: it is open if there is anything to do, now or later.
func (e *executor) readiness(p *part, own *record.Record) kopf.PartState {
	switch {
	case p.Skip && !progress.Tried(own):
		// One that has finished is not looked at anew, whatever has changed: there is nothing to do.
		if r := e.round.records[p.id]; r != nil && r.Finished() && r.Purpose == own.Purpose {
			return state(r)
		}
		return kopf.PartSkipped
	case own.Finished():
		return state(own)
	case !p.Always && slices.ContainsFunc(e.awaited(p), func(other *part) bool {
		return other.state == kopf.PartFailed || other.state == kopf.PartBlocked
	}):
		return kopf.PartBlocked
	}
	return kopf.PartOpen
}

// waits tells whether a part that comes after others has to wait for them.
func (e *executor) waits(p *part) bool {
	return slices.ContainsFunc(e.awaited(p), func(other *part) bool { return other.state == kopf.PartOpen })
}

// awaited are the siblings that a part comes after.
func (e *executor) awaited(p *part) []*part {
	before := slices.DeleteFunc(slices.Clone(e.parts), func(other *part) bool { return other == p })
	if p.Always && len(p.After) == 0 {
		return before
	}
	return slices.DeleteFunc(before, func(other *part) bool { return !slices.Contains(p.After, other.ID) })
}

// record returns the record that a part goes on from.
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

// result returns what is, or is about to be, in the status under a key; nil if that is nothing.
func (r *round) result(key string) kopf.Raw {
	if fresh, ok := r.out.Asks.Results[key]; ok {
		return fresh
	}
	return encode(tree.Object(r.Object, "status"), []string{key})
}
