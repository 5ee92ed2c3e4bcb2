package reactor

import (
	"log/slog"
	"slices"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/patch"
)

// findInterval is how long the definition of a resource is taken for what it was, whatever speaks against it.
const findInterval = 10 * time.Second

// misplaced tells whether a status was dropped because the resource has got a sub-resource for it meanwhile, so that it must be sent there.
func (r *Reactor) misplaced(sent patch.Sent, log *slog.Logger) bool {
	if r.statusApart.Load() || !slices.Contains(sent.Pruned, "status") || !r.mayFind() {
		return false
	}
	r.findAgain(log)
	return r.statusApart.Load()
}

// mayFind keeps a resource whose schema has no status at all from being looked up with every write.
func (r *Reactor) mayFind() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.found) < findInterval {
		return false
	}
	r.found = time.Now()
	return true
}

// findAgain learns whether the resource has a status sub-resource now. That it has lost one is found out with the first write as well.
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
