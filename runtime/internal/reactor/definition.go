package reactor

import (
	"log/slog"
	"slices"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/patch"
)

// findInterval is the least time between two looks at the definition of a resource for what the server dropped.
const findInterval = 10 * time.Second

// misplaced tells whether a status was dropped because the resource has been given a status sub-resource meanwhile: it must be sent there.
func (r *Reactor) misplaced(sent patch.Sent, log *slog.Logger) bool {
	if r.statusApart.Load() || !slices.Contains(sent.Pruned, "status") || !r.mayFind() {
		return false
	}
	r.findAgain(log)
	return r.statusApart.Load()
}

// mayFind keeps a resource whose schema has no status at all from being looked up at every write.
func (r *Reactor) mayFind() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.found) < findInterval {
		return false
	}
	r.found = time.Now()
	return true
}

// findAgain learns whether the resource has a status sub-resource now. That it has lost one, the next write tells as well.
func (r *Reactor) findAgain(log *slog.Logger) {
	if r.Find == nil {
		return
	}
	found, err := r.Find(r.requests)
	if err != nil {
		log.Warn("the definition of the resource cannot be read; it is taken for what it was", "error", err)
		return
	}
	r.statusApart.Store(found.HasStatus)
}
