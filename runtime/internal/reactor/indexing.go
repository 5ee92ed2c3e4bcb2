package reactor

import (
	"errors"
	"slices"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/index"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// reindex replaces what the object has in the indexes, before any other handler is called for the state, and returns when a function that has
// failed is due again.
func (r *Reactor) reindex(w *work, s *handling.State) (next time.Time, err error) {
	functions := r.Handlers.Indexes
	if len(functions) == 0 {
		return time.Time{}, nil
	}
	r.mu.Lock()
	was := r.tries[w.key]
	r.mu.Unlock()
	now := make([]*handling.Tries, len(functions))
	var errs []error
	for i := range functions {
		var last *handling.Tries
		if was != nil {
			last = was[i]
		}
		now[i], err = s.Index(r.handlers, &functions[i], index.Object(w.key), last)
		errs = append(errs, err)
		next = sooner(next, now[i].Due())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(now, func(t *handling.Tries) bool { return t != nil }) {
		r.tries[w.key] = now
	} else {
		delete(r.tries, w.key)
	}
	return next, errors.Join(errs...)
}

// unindex removes what an object that is gone has in the indexes. A turn that is running may put it back, so that it is removed once more when
// the turn has ended. The lock is held.
func (r *Reactor) unindex(k skim.Key) {
	for i := range r.Handlers.Indexes {
		r.Handlers.Indexes[i].Table.Remove(index.Object(k))
	}
	delete(r.tries, k)
}

// sooner returns the earlier of two times, of which zero is never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
