package handling

import (
	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
)

// finalizer decides about the operator's finalizer, which keeps an object until its mandatory delete handlers have been called. As in Kopf,
// it is put on in a round of its own, before other handlers are called, and taken off an object that no longer needs it, even one that is
// being deleted. It tells whether this is all for the round.
func (r *round) finalizer() (done bool, err error) {
	blocked := r.blocked()
	if r.deleting() && !blocked {
		return false, nil
	}
	needed, err := r.mustBlock()
	if err != nil || needed == blocked {
		return false, err
	}
	r.out.AddFinalizer, r.out.RemoveFinalizer = needed, blocked
	if !r.deleting() {
		r.wakeAt(r.now)
	}
	return true, nil
}

// mustBlock tells whether the object has to wait for a delete handler. One that has begun is waited for even if its filters no longer let
// the object pass.
func (r *round) mustBlock() (bool, error) {
	for i := range r.Resource.Handlers {
		h := &r.Resource.Handlers[i]
		if !h.On.Has(progress.Delete) || h.Optional {
			continue
		}
		if own := r.stored[h.ID]; r.deleting() && own != nil && own.Purpose == kopf.ReasonDelete && !own.Finished() {
			return true, nil
		}
		if ok, err := r.filters.matters(h); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// release lets go of an object whose deletion is handled. Its records stay as they are, even if others hold it for longer: if they were
// removed, and the process ended before the finalizer was taken off, the next one would call the delete handlers again.
func (r *round) release() {
	if r.cause.Reason == kopf.ReasonDelete {
		r.out.RemoveFinalizer, r.out.Records = true, nil
	}
}
