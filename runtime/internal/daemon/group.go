package daemon

import (
	"context"
	"sync"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// Config is what a group works with.
type Config struct {
	// Handlers are the daemons and timers of one resource.
	Handlers []Handler
	// Context is the parent of those of attempts. It ends when the time to finish is over.
	Context context.Context
	// Calls runs the calls of timers, as many at once as it sees fit. Daemons are not asked to wait.
	Calls interface{ Go(call func()) }
}

// Group are the daemons and timers of the objects of one resource. It outlives the streams and reactors that tell of the objects.
type Group struct {
	Config

	// mu guards the sets, too. It is held for moments only, and may be taken while that of a reactor is held.
	mu   sync.Mutex
	sets map[skim.Key]*Set
	// live counts what runs or waits to run, but for abandoned daemons.
	live int
	// ended is closed when live falls to zero, if somebody waits for it.
	ended chan struct{}
}

// NewGroup returns a group in which nothing runs.
func NewGroup(c Config) *Group { return &Group{Config: c, sets: map[skim.Key]*Set{}} }

// Set returns what runs beside an object. The object, as it is offered from now on, takes the place of an earlier one; state is the number of
// its newest state, and changed is when it changed last, if nothing is known of it yet.
func (g *Group) Set(key skim.Key, object Object, state uint64, changed time.Time) *Set {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, ok := g.sets[key]
	if !ok {
		s = &Set{group: g, key: key, changed: changed, members: make([]member, len(g.Handlers))}
		g.sets[key] = s
	}
	s.object, s.gone, s.released = object, false, false
	s.news(state)
	return s
}

// Forget ends what runs beside an object that is gone, and forgets what has run. The object need not be known.
func (g *Group) Forget(key skim.Key) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s, ok := g.sets[key]; ok {
		s.stop(kopf.StopResourceDeleted)
		s.ended, s.gone = nil, true
		s.prune()
	}
}

// Running counts the daemons and timers, those that wait included.
func (g *Group) Running() (daemons, timers int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.sets {
		for i, m := range s.members {
			switch {
			case m == nil:
			case g.Handlers[i].Timer != nil:
				timers++
			default:
				daemons++
			}
		}
	}
	return daemons, timers
}

// Wait returns once nothing runs but abandoned daemons, or with the context's error. Stop all sets before.
func (g *Group) Wait(ctx context.Context) error {
	for {
		g.mu.Lock()
		if g.live == 0 {
			g.mu.Unlock()
			return nil
		}
		if g.ended == nil {
			g.ended = make(chan struct{})
		}
		ended := g.ended
		g.mu.Unlock()
		select {
		case <-ended:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Abandon gives up what still runs, each with a warning, and returns how many there were.
func (g *Group) Abandon() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := g.live
	for _, s := range g.sets {
		for _, m := range s.members {
			if m != nil {
				m.abandon()
			}
		}
	}
	return n
}

// count adds to what runs. The lock is held.
func (g *Group) count(n int) {
	g.live += n
	if g.live == 0 && g.ended != nil {
		close(g.ended)
		g.ended = nil
	}
}
