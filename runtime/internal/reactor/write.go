package reactor

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
)

// writing is what a round wants written.
type writing struct {
	// all is everything; own is what the engine itself adds, progress and finalizers, in case the rest is refused.
	all, own *patch.Plan
}

// refusals is how many parts of a plan the server can refuse, one after the other.
const refusals = 3

// write sends a plan and takes the answer as the newest state; again tells that another round must look at it. What could not be written
// stays with the object, and is sent again without calling the handlers. If the server refuses what handlers asked for, that is given up and
// the progress is written without it: neither sending it again nor calling the handlers again would help.
func (r *Reactor) write(w *work, raw []byte, plan writing, log *slog.Logger) (again bool, err error) {
	for range refusals + 1 {
		sent, err := r.send(w, raw, plan.all)
		if err == nil && r.misplaced(sent, log) {
			raw = sent.Newest
			continue
		}
		r.report(sent.Pruned, log)
		again = again || sent.Newest != nil && r.newer(w) || sent.Left != nil
		rejected := isRejected(err)
		switch {
		case sent.Gone, sent.Released:
			// The answer to a release is not a new state. Events of what was written before may still come, and then that of the deletion.
			r.gone(w)
			if w.unsent = nil; sent.Gone {
				w.unsent = &plan // in case it comes back
			}
			if err != nil {
				log.Error("what handlers wrote to the object was not all written before its end", "error", err)
			}
			return false, nil
		case rejected && plan.all != plan.own:
			log.Error("what handlers wrote to the object is given up", "error", err)
			plan.all = plan.without(sent.Left)
			if sent.Newest != nil {
				raw = sent.Newest
			}
			w.unsent = &plan
			continue
		case rejected:
			w.unsent = &writing{all: plan.own, own: plan.own}
		case sent.Left != nil:
			w.unsent = &writing{all: sent.Left, own: plan.own}
		case err != nil:
			// All is written but for functions that failed, which are dropped.
			log.Error("what a handler asked for cannot be written", "error", err)
			w.unsent = nil
			return again, nil
		default:
			w.unsent = nil
		}
		if err != nil {
			err = fmt.Errorf("writing to the object: %w", err)
		}
		return again, err
	}
	return again, errors.New("writing to the object: the API server refuses everything")
}

// without returns what is still to be written after a part was refused and dropped: what is left, and the engine's own.
func (p writing) without(left *patch.Plan) *patch.Plan {
	if left.Empty() {
		return p.own
	}
	rest := new(patch.Plan)
	rest.Append(left)
	rest.Append(p.own)
	return rest
}

func isRejected(err error) bool {
	_, rejected := errors.AsType[*patch.RejectedError](err)
	return rejected
}

// send sends a plan once, and offers the answer as a state of the object.
func (r *Reactor) send(w *work, raw []byte, plan *patch.Plan) (patch.Sent, error) {
	r.mu.Lock()
	w.heard = false
	r.mu.Unlock()
	sent, err := patch.Send(r.requests, r.Client, r.target(w), raw, plan)
	if sent.NoSubresource {
		r.statusApart.Store(false)
	}
	if sent.Newest != nil {
		r.learn(w, sent.Newest)
	}
	return sent, err
}

// learn takes an answer as a state of the object. If it cannot be understood, the object is read again: the state known so far says that
// what was just done is still to be done.
func (r *Reactor) learn(w *work, answer []byte) {
	o, err := r.Skim.Object(answer)
	r.mu.Lock()
	defer r.mu.Unlock()
	e, known := r.objects[w.key]
	switch {
	case !known || w.gone:
	case err != nil:
		w.read, w.fresh = true, true
	default:
		r.offer(w.key, e, true, fromAnswer, &o)
	}
}

// saves is how often what is unsent is tried when the operator stops.
const saves = 5

// save writes what is still unsent when the operator stops, so that the next one need not call the same handlers.
func (r *Reactor) save(w *work, log *slog.Logger) {
	for try := range saves {
		if w.unsent == nil || r.isGone(w) {
			return
		}
		raw, _ := r.kept(w)
		_, err := r.write(w, raw, *w.unsent, log)
		if err == nil {
			continue // nothing is unsent now, unless the object has moved on
		}
		log.Warn("what was done for the object is not saved yet", "error", err)
		if !handling.Pause(r.requests, handling.ErrorDelay(try)) {
			break
		}
	}
	if w.unsent != nil {
		log.Error("what was done for the object is not saved; handlers will be called again")
	}
}

func (r *Reactor) isGone(w *work) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return w.gone
}

// remembered bounds how many dropped results are remembered as reported.
const remembered = 1000

// report warns once about each result that the server drops.
func (r *Reactor) report(pruned []string, log *slog.Logger) {
	for _, path := range pruned {
		if r.firstTime(path) {
			log.Warn("the API server dropped what was written; the schema of the resource does not have it", "path", path)
		}
	}
}

func (r *Reactor) firstTime(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pruned[path] || len(r.pruned) >= remembered {
		return false
	}
	r.pruned[path] = true
	return true
}
