package reactor

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/logging"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// maxRounds is how many rounds of handling and patching one turn may have before the object is taken for one that feeds itself.
const maxRounds = 10

// errorDelays are the pauses after rounds that failed in a row for reasons outside of the handlers, as in Kopf; the last one repeats.
var errorDelays = [...]time.Duration{1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610}

// verdict is how a round ends.
type verdict struct {
	// next is when something is due; zero means never.
	next time.Time
	// again asks for another round at once, on the newest state.
	again bool
	// busy tells that the object is still in progress: its work must not be forgotten.
	busy bool
	// handled tells that the object is fully handled for now.
	handled bool
}

// turn runs rounds on the newest state of an object until nothing is due now.
func (r *Reactor) turn(w *work) {
	log := r.Logger.With(logging.Object(logging.Reference{
		APIVersion: r.Resource.APIVersion(), Kind: r.Resource.Kind, Name: w.name, UID: w.uid, Namespace: w.namespace,
	}))
	for rounds := 1; ; rounds++ {
		raw, ok := r.take(w)
		if !ok {
			return
		}
		v, err := r.round(w, raw, log)
		if err == nil && v.again && rounds >= maxRounds {
			err = fmt.Errorf("%d rounds in one turn: a handler reacts to its own changes", rounds)
		}
		if r.settle(w, v, err, log) {
			return
		}
	}
}

// take starts a round: it returns the newest state, or nil if that was not kept, and whether the object is still there.
func (r *Reactor) take(w *work) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w.gone || r.stopping {
		w.phase = idle
		return nil, false
	}
	w.phase, w.fresh = running, false
	return w.raw, true
}

// settle ends a round and tells whether the turn ends with it.
func (r *Reactor) settle(w *work, v verdict, err error, log *slog.Logger) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		delay := errorDelays[min(w.failures, len(errorDelays)-1)] * time.Second
		w.failures++
		if !w.gone && !r.stopping {
			log.Error("the object could not be handled; trying again", "in", delay, "error", err)
		}
		r.sleep(w, time.Now().Add(delay))
		return true
	}
	w.failures = 0
	if v.handled {
		if e, ok := r.objects[w.key]; ok {
			e.initial = false
			r.objects[w.key] = e
		}
	}
	switch {
	case v.again || w.fresh:
		return false
	case v.busy:
		r.sleep(w, v.next)
	default:
		r.rest(w)
	}
	return true
}

// round looks at one state of the object, calls what is due, and writes what came of it.
func (r *Reactor) round(w *work, raw []byte, log *slog.Logger) (verdict, error) {
	ctx := r.handlers
	target := patch.Target{Resource: r.Resource, Namespace: w.namespace, Name: w.name, UID: w.uid}
	if raw == nil {
		var err error
		if raw, err = patch.NoOp(ctx, r.Client, target); err != nil {
			return r.unread(w, err)
		}
		r.answered(w, raw)
	}
	if plan := w.unsent; plan != nil {
		return r.send(w, target, raw, plan, verdict{again: true}, log)
	}
	object, err := tree.DecodeObject(raw)
	if err != nil {
		return verdict{}, fmt.Errorf("reading the object: %w", err)
	}
	state, err := r.state(w, raw, object, log)
	if err != nil {
		return verdict{}, err
	}
	round := handling.Handle(ctx, state)
	plan, err := r.compose(object, raw, round)
	if err != nil {
		return verdict{}, err
	}
	v := verdict{next: round.Next, busy: !round.Next.IsZero(), handled: round.Handled}
	if round.AddFinalizer {
		v.again, v.busy = true, true
	}
	if plan.Empty() {
		return v, round.Err
	}
	v, err = r.send(w, target, raw, plan, v, log)
	if r.refused(err, round) {
		// To send it again, or to call the handlers again, would not help. The progress is written without it.
		log.Error("what handlers wrote to the object is given up", "error", err)
		w.unsent = nil
		if plan, err = r.compose(object, raw, progressOf(round)); err != nil {
			return verdict{}, err
		}
		v, err = r.send(w, target, raw, plan, v, log)
	}
	if err == nil {
		err = round.Err
	}
	return v, err
}

// refused tells whether the API server refused, together with the progress, what handlers wanted written to the object.
func (r *Reactor) refused(err error, round handling.Round) bool {
	var rejected *patch.RejectedError
	return errors.As(err, &rejected) && rejected.Part == patch.PartObject && round.Asks()
}

// progressOf is a round without what its handlers wanted written.
func progressOf(round handling.Round) handling.Round {
	round.Edits, round.Patches, round.Results, round.Status = nil, nil, nil, nil
	return round
}

// state gathers what handling needs to know of the object.
func (r *Reactor) state(w *work, raw []byte, object map[string]any, log *slog.Logger) (*handling.State, error) {
	s := &handling.State{
		Resource: r.Handlers,
		Raw:      raw, Object: object,
		Essence: r.Essence.Build(object),
		Records: func(ids []string) map[string]*record.Record {
			found, errs := r.Storage.Fetch(object, ids)
			for _, err := range errs {
				log.Warn("a progress record cannot be read; the handler starts anew", "error", err)
			}
			return found
		},
		Memory: &w.memory, Memos: &w.memos,
		Logger: log, Config: r.RESTConfig,
		Now:   time.Now,
		Newer: func() bool { return r.newer(w) },
	}
	base, present, err := r.Storage.Base(object)
	switch {
	case err != nil:
		log.Warn("the last handled state cannot be read; the object counts as new", "error", err)
	case present:
		s.Base = r.Essence.Clean(base)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Initial = r.objects[w.key].initial
	return s, nil
}

// newer tells whether a state arrived that the running round has not seen, or the operator stops.
func (r *Reactor) newer(w *work) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return w.fresh || w.gone || r.stopping
}

// send writes a plan and takes the answer as the newest state. What could not be written stays with the object and is sent again without
// calling the handlers.
func (r *Reactor) send(w *work, target patch.Target, raw []byte, plan *patch.Plan, v verdict, log *slog.Logger) (verdict, error) {
	sent, err := patch.Send(r.handlers, r.Client, target, raw, plan)
	w.unsent = sent.Left
	r.report(sent.Pruned, log)
	if sent.Newest != nil && r.answered(w, sent.Newest) {
		v.again = true
	}
	switch {
	case sent.Gone:
		r.gone(w)
		return verdict{}, nil
	case err != nil:
		return v, fmt.Errorf("writing to the object: %w", err)
	case sent.Released:
		// The answer is not a new state. Events of what was written before may still come, and then that of the deletion.
		r.gone(w)
		return verdict{}, nil
	}
	v.again = v.again || sent.Left != nil
	return v, nil
}

// answered takes the answer to a patch as a state of the object, and tells whether it is one that must be looked at.
func (r *Reactor) answered(w *work, raw []byte) bool {
	o, err := r.Skim.Object(raw)
	if err != nil {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e, known := r.objects[w.key]
	if !known {
		return false
	}
	r.offer(w.key, e, true, true, &o)
	return w.fresh
}

// unread decides what a failed reading means.
func (r *Reactor) unread(w *work, err error) (verdict, error) {
	if errors.Is(err, patch.ErrGone) {
		r.gone(w)
		return verdict{}, nil
	}
	return verdict{}, fmt.Errorf("reading the object: %w", err)
}

// gone lets an object that the server says is no more have no further turn. It is remembered until the event of its deletion, or a list
// without it: forgotten now, it would be taken for a new object if an event from before its end is still on the way.
func (r *Reactor) gone(w *work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.gone = true
}

// report warns once about each result that the server drops.
func (r *Reactor) report(pruned []string, log *slog.Logger) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, path := range pruned {
		if !r.pruned[path] {
			r.pruned[path] = true
			log.Warn("the API server dropped what was written; the schema of the resource does not have it", "path", path)
		}
	}
}
