// Package handling calls the handlers of an object. It is given one state of the object and what is remembered of it, finds out what has
// happened, calls what is due, in order, and returns what is to be written and when there is more to do. Package progress decides what is
// due; this package applies filters, decides about the finalizer, makes the attempts, and observes retries, timeouts and backoffs. It reads and
// writes nothing: package reactor does that, and hands in the object as it is afterwards as a new state.
package handling

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/cause"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

// Handle handles a state once: it finds out what has happened, calls every handler that is due, in order, and returns what is to be
// written. It does no I/O but what the handlers do. The object as it is after writing is a new state, to be handled in turn.
func Handle(ctx context.Context, s *State) Round {
	r := &round{State: s, now: stamp(s.Now())}
	r.cause = cause.Detect(cause.Input{
		Deleting: s.deleting(), Blocked: s.blocked(), Initial: s.Initial,
		Handled: s.Base != nil, Changed: s.Base != nil && !essence.Equal(s.Base, s.Essence),
	})
	if r.cause.Kind == cause.Free {
		s.Logger.Debug("the object is not handled any more")
		return Round{Cause: r.cause}
	}
	r.load()
	if err := r.handle(ctx); err != nil {
		return Round{Cause: r.cause, Err: err}
	}
	r.out.Cause = r.cause
	return r.out
}

// round is one handling of a state.
type round struct {
	*State
	// now is when the round began.
	now   time.Time
	cause cause.Cause
	// stored are the records as they were read, records those as they are now; both include those of sub-handlers.
	stored, records map[string]*record.Record
	filters         filters
	// outlook is the plan as of the records.
	outlook progress.Outlook
	// called counts the attempts.
	called int
	out    Round
}

// stamp cuts a time to the precision of records.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// load reads the records of the handlers, and then those of the sub-handlers that these name.
func (r *round) load() {
	ids := make([]string, 0, len(r.Resource.Handlers))
	for _, h := range r.Resource.Handlers {
		if !slices.Contains(ids, h.ID) {
			ids = append(ids, h.ID)
		}
	}
	r.stored = map[string]*record.Record{}
	maps.Copy(r.stored, r.Records(ids))
	var children []string
	for _, own := range r.stored {
		children = append(children, own.Subrefs...)
	}
	if len(children) > 0 {
		maps.Copy(r.stored, r.Records(children))
	}
	r.records = r.stored
}

func (r *round) handle(ctx context.Context) error {
	r.filters = filters{state: r.State, reason: r.cause.Reason}
	matters, err := r.filters.anyMatters()
	if err != nil {
		return err
	}
	if done, err := r.finalizer(); done || err != nil {
		return err
	}
	if !matters && !r.begun() {
		return nil
	}
	if err := r.plan(); err != nil {
		return err
	}
	if r.outlook.Reason == "" {
		r.out.Handled = true
		return nil
	}
	r.cause.Kind, r.cause.Reason = cause.Change, r.outlook.Reason
	r.filters.reason = r.cause.Reason
	r.announce(ctx)
	for _, due := range r.outlook.Due {
		if r.interrupted(ctx, r.called > 0) {
			break
		}
		if !due.Record.Sleeping(r.Now()) {
			r.call(ctx, due)
		}
	}
	if r.called > 0 {
		r.Memory.Keep(r.Essence)
		if err := r.plan(); err != nil {
			return err
		}
	}
	r.conclude()
	return nil
}

// begun tells whether a handler has begun and not finished: it goes on, whatever the filters say.
func (r *round) begun() bool {
	return slices.ContainsFunc(r.Resource.Handlers, func(h Handler) bool {
		own := r.stored[h.ID]
		return own != nil && !own.Finished()
	})
}

// interrupted tells whether no more handlers are to be called. A newer state lets one be called first, or an object that changes all the
// time would never be handled.
func (r *round) interrupted(ctx context.Context, called bool) bool {
	return ctx.Err() != nil || called && r.Newer()
}

// plan brings the outlook up to date with the records.
func (r *round) plan() error {
	state := progress.State{
		Reason: r.cause.Reason, Initial: r.cause.Initial,
		Base: r.Base, Essence: r.Essence, Records: r.records, Memory: r.Memory,
		Time: r.now, Handlers: make([]progress.Handler, len(r.Resource.Handlers)),
	}
	for i := range r.Resource.Handlers {
		h := &r.Resource.Handlers[i]
		state.Handlers[i] = progress.Handler{
			ID: h.ID, On: h.On, Field: h.Field, Deleted: h.Deleted,
			Match: func(before map[string]any) (bool, error) { return r.filters.match(h, before) },
		}
	}
	outlook, err := progress.Plan(state)
	if err != nil {
		return err
	}
	r.outlook, r.records = outlook, outlook.Records
	return nil
}

// conclude turns the outlook into what is to be written and when to go on.
func (r *round) conclude() {
	r.out.Records, r.out.Base, r.out.Handled = r.changed(), r.outlook.Base, r.outlook.Complete
	for _, due := range r.outlook.Due {
		r.wakeAt(due.Record.Delayed)
	}
	if !r.outlook.Complete {
		return
	}
	r.summarize()
	r.release()
	if len(r.outlook.Records) > 0 {
		r.wakeAt(r.now) // what was missed by some is handled as an update
	}
}

// wakeAt asks for another round at a time, or at once if that has passed.
func (r *round) wakeAt(at time.Time) {
	if at.Before(r.now) {
		at = r.now
	}
	if r.out.Next.IsZero() || at.Before(r.out.Next) {
		r.out.Next = at
	}
}

// changed returns the records that differ from what is stored. When all is done, every record of the handlers goes, even one that could
// not be read.
func (r *round) changed() map[string]*record.Record {
	out := map[string]*record.Record{}
	if r.outlook.Complete {
		for _, h := range r.Resource.Handlers {
			out[h.ID] = nil
		}
	}
	for id := range r.stored {
		out[id] = nil
	}
	for id, own := range r.records {
		if own.Equal(r.stored[id]) {
			delete(out, id)
		} else {
			out[id] = own
		}
	}
	return out
}
