package reactor

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kopfgen/kopfgen/runtime/internal/stream"
)

// Restart begins a list: what is not delivered until Synced is gone.
func (r *Reactor) Restart() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.epoch++
	r.doubted = false
}

// Deliver takes one event. It keeps none of the event's bytes, only copies.
func (r *Reactor) Deliver(ev stream.Event) {
	k := ev.Object.Key()
	r.mu.Lock()
	defer r.mu.Unlock()
	e, known := r.objects[k]
	if ev.Type == stream.Deleted {
		// Whatever its version is: nothing comes after it.
		if known {
			r.drop(k, e)
		}
		return
	}
	e.epoch = r.epoch
	from := fromEvent
	if ev.Type == stream.Listed {
		from = fromList
	}
	if !known {
		e.initial = from == fromList
	}
	r.offer(k, e, known, from, &ev.Object)
}

// Synced ends a list that is complete as of the version. Objects that it did not name are gone; those that it did name are not, whatever
// the server said of them before.
//
// A list is never older than what events told before it. If it was, the server's store went back in time, as after the restoration of a
// backup, and states of the list were taken for old ones. The versions mean nothing then: they are forgotten, and Synced asks for another
// list by returning false.
func (r *Reactor) Synced(version string) bool {
	doubted := r.synced()
	if doubted {
		r.Logger.Warn("the API server's store went back in time; listing again", "resource", r.Resource.String(), "version", version)
	}
	return !doubted
}

func (r *Reactor) synced() (doubted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, e := range r.objects {
		if e.epoch != r.epoch {
			r.drop(k, e)
			continue
		}
		if w, ok := r.works[k]; ok && w.gone && !w.deleted {
			r.revive(w)
		}
		if r.doubted {
			e.version, e.ahead = 0, false
			r.objects[k] = e
		}
	}
	return r.doubted
}

// Trouble logs when the stream stops working and when it works again. A resource that comes back may have another definition.
func (r *Reactor) Trouble(err error) {
	log := r.Logger.With("resource", r.Resource.String())
	switch {
	case err == nil:
		log.Info("the stream works again")
		if r.lost {
			r.lost = false
			r.findAgain(log)
		}
	case apierrors.IsNotFound(err):
		r.lost = true
		log.Warn("the resource has gone; it will be served when it comes back", "error", err)
	case apierrors.IsForbidden(err):
		log.Warn("the operator may not list and watch the resource; trying again", "error", err)
	default:
		log.Warn("the stream does not work; trying again", "error", err)
	}
}
