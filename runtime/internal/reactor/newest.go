package reactor

import (
	"fmt"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// origin is where a state comes from.
type origin uint8

const (
	fromList origin = iota
	fromEvent
	fromAnswer
)

// consistency is how long, where versions have no order, events are taken to be older than our answer. Kopf has the same window everywhere.
const consistency = 5 * time.Second

// offer takes a state of an object, and wakes the object if the state is newer than what was known and changes anything. An answer counts
// like an event: it may hold the change of somebody else, whose own event will be dropped as old. The lock is held.
func (r *Reactor) offer(k skim.Key, e entry, known bool, from origin, o *skim.Object) {
	version, ordered := number(o)
	w := r.works[k]
	if w != nil && from != fromAnswer {
		w.heard = true
	}
	switch {
	case !known:
	case version == e.version && version != 0:
		if from != fromAnswer {
			e.ahead = false
			w.confirm()
		}
		r.objects[k] = e
		return
	case ordered && version < e.version:
		r.objects[k] = e
		if from == fromList {
			r.doubt(k, e, o)
		}
		return
	case !ordered && from != fromAnswer && e.ahead && w != nil && time.Now().Before(w.trust):
		w.late = true
		r.objects[k] = e
		return
	}

	changed := !known || e.state != o.State
	e.version, e.state, e.ahead = version, o.State, from == fromAnswer
	if w == nil && changed {
		w = newWork(k, o)
		r.works[k] = w
	}
	r.objects[k] = e
	if w == nil {
		return
	}
	if from == fromAnswer && !ordered {
		w.trust = time.Now().Add(consistency)
		// What came while the request was on its way may be newer.
		w.late = w.late || w.heard
	}
	switch {
	case w.gone:
		r.revive(w)
	case changed || w.phase != resting:
		r.keep(w, o)
	}
	if o.Deleting && !w.deleting {
		w.deleting, w.hold = true, time.Time{} // this news is no handler's doing
	}
	if changed {
		w.fresh = true
		r.wake(w)
	}
}

// confirm notes that events have come as far as the newest answer.
func (w *work) confirm() {
	if w != nil {
		w.trust, w.late = time.Time{}, false
	}
}

// doubt handles a list in which the state of an object is older than what was known. If that was the answer to a request, it may have come
// while the list was on its way, and the server is asked. Otherwise the server's store went back in time. The lock is held.
func (r *Reactor) doubt(k skim.Key, e entry, o *skim.Object) {
	if !e.ahead {
		r.doubted = true
		return
	}
	w, ok := r.works[k]
	if !ok {
		w = newWork(k, o)
		r.works[k] = w
	}
	w.read, w.fresh = true, true
	r.wake(w)
}

// revive gives an object that was taken for gone another turn, which asks the server first: what is known of it may be from before its
// end. The lock is held.
func (r *Reactor) revive(w *work) {
	r.release(w)
	w.gone, w.deleted = false, false
	w.read, w.fresh = true, true
	r.wake(w)
}

// keep replaces the kept state of an object in progress, if the budget allows. The lock is held.
func (r *Reactor) keep(w *work, o *skim.Object) {
	r.release(w)
	if r.stopping {
		return
	}
	if raw := r.trimmed(o); r.Kept.take(cap(raw)) {
		w.raw = raw
	}
}

// trimmed copies an object without its managedFields.
func (r *Reactor) trimmed(o *skim.Object) []byte {
	raw := o.AppendTrimmed(nil)
	if len(o.Kind) == 0 {
		// Items of a list do not say what they are. They have metadata at least, hence the comma.
		raw = append(fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,`, r.Resource.APIVersion(), r.Resource.Kind), raw[1:]...)
	}
	return raw
}

// release gives up the kept state of an object. The lock is held.
func (r *Reactor) release(w *work) {
	r.Kept.give(cap(w.raw))
	w.raw = nil
}
