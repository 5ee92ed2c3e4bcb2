// Package reactor gives each object its turn. It takes the events of one resource from its streams, drops those that change nothing,
// remembers a few bytes of every object, and runs a turn where there is something to do: decode the object, let package handling decide
// and call what is due, send the patches, take the answer as the newest state, and go on until nothing is due now. An object has one turn
// at a time, and no goroutine while it has none; what is due later is woken by a timer.
//
// The files, in the order in which an event passes them: sink.go takes it, newest.go finds out whether it is news, schedule.go gives the
// object a turn, turn.go runs the turn round by round, round.go has one state handled, indexing.go
// puts it into the indexes before that, compose.go plans what is to be written, write.go
// sends it.
package reactor

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
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
	// NoBase tells that the last handled state is not stored.
	NoBase bool
	// Find looks the resource up again when its definition may have changed. It may be nil.
	Find func(context.Context) (api.Resource, error)
}

// Reactor handles the objects of one resource. It is the sink of the resource's streams.
type Reactor struct {
	Config
	// handlers ends when handlers may no longer run, requests when nothing can be saved any more.
	handlers, requests context.Context

	// lost tells that the resource has gone. Only the stream's goroutine uses it.
	lost bool
	// statusApart tells that the resource has a status sub-resource, as far as is known.
	statusApart atomic.Bool

	mu sync.Mutex
	// objects has an entry for each known object, works more for those that are not just at rest. The former has no pointers, so that the
	// garbage collector need not look into it.
	objects map[skim.Key]entry
	works   map[skim.Key]*work
	// tries has an entry for each object for which an index function has failed and not succeeded since, in the order of the functions.
	tries    map[skim.Key][]*handling.Tries
	epoch    uint32
	stopping bool
	// doubted tells that the list being read is older than what was known before it.
	doubted bool
	// pruned are results that the server is known to drop, so that each is reported once.
	pruned map[string]bool
	// found is when the definition of the resource was last looked up because of what it dropped.
	found time.Time
}

// New returns a reactor whose handlers run within the first context; the second, which must not end before, is that of its requests.
func New(handlers, requests context.Context, c Config) *Reactor {
	r := &Reactor{
		Config: c, handlers: handlers, requests: requests,
		objects: map[skim.Key]entry{}, works: map[skim.Key]*work{}, tries: map[skim.Key][]*handling.Tries{}, pruned: map[string]bool{},
	}
	r.statusApart.Store(c.Resource.HasStatus)
	return r
}

// Stop keeps any further handler from being called, except for the sub-handlers of one that is about to begin, and stops all timers.
// Running turns save what they have, and what could not be sent before is sent again. Close the Turns after it, not before.
func (r *Reactor) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopping = true
	for _, w := range r.works {
		w.stopTimer()
		if w.phase == running {
			continue
		}
		r.release(w)
		if w.phase == waiting && w.unsent != nil {
			r.queue(w)
		}
	}
}

// Known returns how many objects are known and how many of them are in progress.
func (r *Reactor) Known() (known, inProgress int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.works {
		if w.phase != resting {
			inProgress++
		}
	}
	return len(r.objects), inProgress
}
