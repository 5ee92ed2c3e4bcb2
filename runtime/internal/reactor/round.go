package reactor

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// round looks at the newest state of the object, calls what is due, and writes what came of it.
func (r *Reactor) round(w *work, log *slog.Logger) (verdict, error) {
	raw, err := r.newest(w)
	if raw == nil || err != nil {
		return verdict{}, err
	}
	if w.unsent != nil {
		// This comes first: it holds the progress that the state lacks.
		again, err := r.write(w, raw, *w.unsent, log)
		return verdict{again: again || err == nil}, err
	}
	object, err := tree.DecodeObject(raw)
	if err != nil {
		return verdict{}, fmt.Errorf("reading the object: %w", err)
	}
	state := r.state(w, raw, object, log)
	due, err := r.reindex(w, state)
	if err != nil {
		return verdict{}, err
	}
	if err := r.oversized(state); err != nil {
		return verdict{}, err
	}
	round := handling.Handle(r.handlers, state)
	if round.Handled {
		r.handled(w)
	}
	plan, err := r.compose(object, round)
	if err != nil {
		return verdict{}, err
	}
	v := verdict{next: sooner(round.Next, due), called: round.Called}
	if !plan.all.Empty() {
		again, err := r.write(w, raw, plan, log)
		if err != nil {
			return v, err
		}
		v.again = again
	}
	return v, round.Err
}

// newest returns the newest state: the kept one, or else the one that the server has. It is nil if there is nothing left to handle.
func (r *Reactor) newest(w *work) ([]byte, error) {
	raw, known := r.kept(w)
	if raw != nil {
		return raw, nil
	}
	answer, err := patch.NoOp(r.requests, r.Client, r.target(w))
	switch {
	case errors.Is(err, patch.ErrGone):
		r.gone(w)
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the object: %w", err)
	}
	return r.learnRead(w, answer, known)
}

// kept returns the kept state and the newest known version.
func (r *Reactor) kept(w *work) ([]byte, uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.heard = false
	return w.raw, r.objects[w.key].version
}

// learnRead takes the answer to a request that only asked for the newest state; known is the version that was the newest when it was sent.
// The round goes on with this state, so it is not news.
func (r *Reactor) learnRead(w *work, answer []byte, known uint64) ([]byte, error) {
	o, err := r.Skim.Object(answer)
	if err != nil {
		return nil, fmt.Errorf("reading the object: %w", err)
	}
	raw := r.trimmed(&o)
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.objects[w.key]
	if !ok || w.gone || r.stopping {
		return nil, nil
	}
	if version, ordered := number(&o); ordered && version < e.version {
		if e.version != known {
			return raw, nil // an event was faster, and is next
		}
		e.version = 0 // the server's store went back in time
	}
	r.offer(w.key, e, true, fromAnswer, &o)
	w.fresh = false
	if w.raw == nil {
		r.keep(w, &o)
	}
	return raw, nil
}

func (r *Reactor) target(w *work) patch.Target {
	resource := r.Resource
	resource.HasStatus = r.statusApart.Load()
	return patch.Target{Resource: resource, Namespace: w.namespace, Name: w.name, UID: w.uid}
}

// state gathers what handling needs to know of the object.
func (r *Reactor) state(w *work, raw []byte, object map[string]any, log *slog.Logger) *handling.State {
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
		Initial: r.initial(w),
		Memory:  &w.memory, Memos: &w.memos,
		Logger: log, Config: r.RESTConfig,
		Now:   time.Now,
		Newer: func() bool { return r.newer(w) },
	}
	base, present, err := r.Storage.Base(object)
	switch {
	case err != nil && !present:
		log.Warn("the last handled state cannot be read; the object counts as new", "error", err)
	case present:
		s.Base = r.Essence.Clean(base)
	}
	return s
}

// oversized returns an error if the state is too large to be stored as the one that was handled last: its handlers would be called again
// and again, as their success could not be written. A deletion stores nothing.
func (r *Reactor) oversized(s *handling.State) error {
	if r.NoBase || len(r.Handlers.Handlers) == 0 || 2*len(s.Raw) < storage.AnnotationLimit || tree.String(s.Object, "metadata", "deletionTimestamp") != "" {
		return nil
	}
	bytes, tooLarge := storage.TooLarge(s.Object, r.Storage.Patch(s.Object, storage.Write{Base: s.Essence}))
	if !tooLarge {
		return nil
	}
	return fmt.Errorf("the object is too large: remembering what was handled would take %d bytes of annotations, and the API server permits %d",
		bytes, storage.AnnotationLimit)
}

func (r *Reactor) initial(w *work) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.objects[w.key].initial
}

// handled notes that all is done for a state, even if that is not written yet: resume handlers are not called again.
func (r *Reactor) handled(w *work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.objects[w.key]; ok {
		e.initial = false
		r.objects[w.key] = e
	}
}

// gone notes that the object is no more, or was released, according to the server.
func (r *Reactor) gone(w *work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.gone = true
}
