// Package reactor gives each object its turn. It takes the events of one resource from its streams, drops those that change nothing,
// remembers a few bytes of every object, and runs a turn where there is something to do: decode the object, let package handling decide
// and call what is due, send the patches, take the answer as the newest state, and go on until nothing is due now. An object has one turn
// at a time, and no goroutine while it has none; what is due later is woken by a timer.
package reactor

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
	"github.com/kopfgen/kopfgen/runtime/internal/stream"
)

// Config is what a reactor works with.
type Config struct {
	Resource api.Resource
	// Handlers says what is to be done with objects of the resource.
	Handlers *handling.Resource
	Essence  essence.Rules
	Storage  storage.Storage
	Skim     *skim.Rules
	// Client sends the patches, RESTConfig is for handlers that make clients of their own.
	Client     patch.Client
	RESTConfig *rest.Config
	Logger     *slog.Logger
	// Turns and Kept are shared by the reactors of an operator.
	Turns *Turns
	Kept  *Budget
	// ListMapKeys and Prefix are for edits: see edit.Edit.
	ListMapKeys map[string][]string
	Prefix      string
	// NoBase tells that the last handled state is not stored.
	NoBase bool
}

// Reactor handles the objects of one resource. It is the sink of the resource's streams.
type Reactor struct {
	Config
	// handlers ends when handlers may no longer run.
	handlers context.Context

	mu       sync.Mutex
	objects  map[skim.Key]entry
	epoch    uint32
	stopping bool
	// pruned are the results that the server is known to drop, so that each is reported once.
	pruned map[string]bool
}

// New returns a reactor whose handlers run within the context.
func New(ctx context.Context, c Config) *Reactor {
	return &Reactor{Config: c, handlers: ctx, objects: map[skim.Key]entry{}, pruned: map[string]bool{}}
}

// Stop lets no round call another handler and stops all timers. Turns that are on save what they have.
func (r *Reactor) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopping = true
	for _, e := range r.objects {
		if e.work != nil && e.work.timer != nil {
			e.work.timer.Stop()
		}
	}
}

// Restart begins a list: what is not delivered until Synced is gone.
func (r *Reactor) Restart() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.epoch++
	for k, e := range r.objects {
		e.raised = false
		r.objects[k] = e
	}
}

// Synced ends a list that is complete as of the version. Objects that it did not name are gone.
//
// If an object was known in a later version than that of the whole list before the list began, the server's store went back in time, as
// after the restoration of a backup, and states of the list were taken for old ones. The versions mean nothing then: they are forgotten,
// and Synced asks for another list by returning false.
func (r *Reactor) Synced(version string) bool {
	listed, err := strconv.ParseUint(version, 10, 64)
	r.mu.Lock()
	defer r.mu.Unlock()
	trusted := true
	for k, e := range r.objects {
		if e.epoch != r.epoch {
			r.drop(k, e)
			continue
		}
		if err == nil && !e.raised && e.version > listed {
			trusted = false
		}
	}
	if trusted {
		return true
	}
	for k, e := range r.objects {
		e.version = 0
		r.objects[k] = e
	}
	r.Logger.Warn("the API server's store went back in time; listing again", "resource", r.Resource.String(), "version", version)
	return false
}

// Trouble logs when the stream stops working and when it works again.
func (r *Reactor) Trouble(err error) {
	log := r.Logger.With("resource", r.Resource.String())
	switch {
	case err == nil:
		log.Info("the stream works again")
	case apierrors.IsNotFound(err):
		log.Warn("the resource has gone; it will be served when it comes back", "error", err)
	case apierrors.IsForbidden(err):
		log.Warn("the operator may not list and watch the resource; trying again", "error", err)
	default:
		log.Warn("the stream does not work; trying again", "error", err)
	}
}

// Deliver takes one event. It keeps nothing of the event's bytes but copies.
func (r *Reactor) Deliver(ev stream.Event) {
	k := ev.Object.Key()
	r.mu.Lock()
	defer r.mu.Unlock()
	e, known := r.objects[k]
	e.epoch = r.epoch
	if ev.Type == stream.Deleted {
		if known {
			r.drop(k, e)
		}
		return
	}
	if !known {
		e.initial = ev.Type == stream.Listed
	}
	r.offer(k, e, known, ev.Type != stream.Listed, &ev.Object)
}

// offer takes a state, from an event or from the answer to a patch, and sees to it that there is a turn if it changes anything. Live tells
// that it is not from a list. The lock is held.
func (r *Reactor) offer(k skim.Key, e entry, known, live bool, o *skim.Object) {
	version, ordered := o.Number()
	if known && ordered && version <= e.version {
		r.objects[k] = e
		return
	}
	changed := !known || e.state != o.State
	e.version, e.state = version, o.State
	e.raised = e.raised || live
	if e.work == nil && changed {
		e.work = &work{key: k, uid: string(o.UID), name: string(o.Name), namespace: string(o.Namespace)}
	}
	r.objects[k] = e
	if w := e.work; w != nil {
		r.keep(w, o)
		if changed {
			w.fresh = true
			r.wake(w)
		}
	}
}

// keep replaces the kept state of an object in progress, as far as the budget allows. The lock is held.
func (r *Reactor) keep(w *work, o *skim.Object) {
	r.release(w)
	raw := o.AppendTrimmed(nil)
	if len(o.Kind) == 0 {
		// An item of a list, which leaves it to the list to say what it is. There is metadata at least, hence the comma.
		raw = append(fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,`, r.Resource.APIVersion(), r.Resource.Kind), raw[1:]...)
	}
	if r.Kept.take(len(raw)) {
		w.raw = raw
	}
}

// release gives the kept state of an object up. The lock is held.
func (r *Reactor) release(w *work) {
	r.Kept.give(len(w.raw))
	w.raw = nil
}

// drop forgets an object that is gone. A turn that is on ends by itself. The lock is held.
func (r *Reactor) drop(k skim.Key, e entry) {
	delete(r.objects, k)
	if w := e.work; w != nil {
		w.gone = true
		r.release(w)
		if w.timer != nil {
			w.timer.Stop()
		}
	}
}

// wake queues a turn for an idle object. The lock is held.
func (r *Reactor) wake(w *work) {
	if w.phase != idle || w.gone || r.stopping {
		return
	}
	w.phase = queued
	if w.timer != nil {
		w.timer.Stop()
	}
	r.Turns.Go(func() { r.turn(w) })
}

// sleep ends a turn and wakes the object at the given time. The lock is held.
func (r *Reactor) sleep(w *work, until time.Time) {
	w.phase = idle
	if w.gone || r.stopping {
		return
	}
	if w.fresh {
		r.wake(w)
		return
	}
	if until.IsZero() {
		return
	}
	delay := max(0, time.Until(until))
	if w.timer == nil {
		w.timer = time.AfterFunc(delay, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.wake(w)
		})
		return
	}
	w.timer.Reset(delay)
}

// rest ends a turn after which nothing is due: of the object, only its entry stays, unless handlers keep a memo of it. The lock is held.
func (r *Reactor) rest(w *work) {
	w.phase = idle
	r.release(w)
	if w.gone || !w.memos.Empty() {
		return
	}
	if e, ok := r.objects[w.key]; ok {
		e.work = nil
		r.objects[w.key] = e
	}
}

// Known returns how many objects are known and how many of them are in progress.
func (r *Reactor) Known() (known, inProgress int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.objects {
		if e.work != nil {
			inProgress++
		}
	}
	return len(r.objects), inProgress
}
