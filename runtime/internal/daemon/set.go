package daemon

import (
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// Set is what runs beside one object. The lock of its group guards it.
type Set struct {
	group  *Group
	key    skim.Key
	object Object
	// members are what runs, by handler; nil is nothing.
	members []member
	// ended tells, by handler, which have ended by themselves, and are not started again; nil is none.
	ended []bool
	// gone tells that the object is no more, released that nobody holds the set.
	gone, released bool

	// changed is when the object changed last, but for what its timers wrote.
	changed time.Time
	// state is the number of the newest state; newer is closed when there is another, if somebody waits for it; followed tells that somebody
	// follows the object.
	state    uint64
	newer    chan struct{}
	followed bool
}

// member is a daemon or a timer that runs or waits. Its methods are called with the lock held.
type member interface {
	// stop tells it to end, for one more reason.
	stop(reason kopf.StopReason)
	// touched tells it that the object has changed.
	touched()
	// abandon has nobody wait for it any longer.
	abandon()
	// holds tells that the object has to wait for it.
	holds() bool
}

// Matching is what a state of the object asks for.
type Matching struct {
	// For tells, by handler, whether the object is one for it.
	For []bool
	// Deleting tells that the object is being deleted: nothing begins, and all ends.
	Deleting bool
	// Finalizer tells that the object waits before it goes. Without it, no daemon begins.
	Finalizer bool
	// Begin describes the first attempt of a handler on this state, which has the number State. It must not block.
	Begin func(*Handler) *handling.Attempt
	State uint64
}

// Match starts and ends what the state asks for. It tells whether the object has to wait, or will have to, before it goes: for a daemon that it
// is for, and which has not ended by itself, or for one that is still ending.
//
// A daemon begins only once the object is held by the finalizer. Kopf starts it at once, and an object that is deleted before the finalizer is
// written goes while its daemon runs.
func (s *Set) Match(m Matching) (held bool) {
	g := s.group
	g.mu.Lock()
	var begin []func()
	for i := range g.Handlers {
		h := &g.Handlers[i]
		wanted := !m.Deleting && m.For[i] && !s.hasEnded(i)
		switch running := s.members[i]; {
		case running != nil && m.Deleting:
			running.stop(kopf.StopResourceDeleted)
		case running != nil && !wanted:
			running.stop(kopf.StopFiltersMismatch)
		case running != nil || !wanted:
		case h.Timer != nil:
			s.startTimer(i, h)
		case m.Finalizer:
			begin = append(begin, s.newDaemon(i, h, m))
		}
		running := s.members[i] // it may have ended on the spot
		held = held || h.Timer == nil && (wanted || running != nil && running.holds())
	}
	s.prune()
	g.mu.Unlock()
	for _, begin := range begin {
		go begin()
	}
	return held
}

// Stop ends all that runs.
func (s *Set) Stop(reason kopf.StopReason) {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	s.stop(reason)
	s.prune()
}

// News tells the number of the newest state. Numbers need not ascend; no two states have the same.
func (s *Set) News(state uint64) {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	s.news(state)
}

// Changed tells that the object has changed, but for what its timers wrote.
func (s *Set) Changed(at time.Time) {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	s.changed = at
	for _, m := range s.members {
		if m != nil {
			m.touched()
		}
	}
}

// Needs tells whether anything runs beside the object, and whether its newest state is better kept at hand: for a timer, or for those who
// follow it.
func (s *Set) Needs() (set, state bool) {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	for i, m := range s.members {
		if m != nil {
			set = true
			state = state || s.followed || s.group.Handlers[i].Timer != nil
		}
	}
	return set, state
}

// Release gives the set back: nobody will tell it of the object unless it is asked for again.
func (s *Set) Release() {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	s.released = true
	s.prune()
}

// current returns the object as it is offered now.
func (s *Set) current() Object {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	return s.object
}

func (s *Set) hasEnded(i int) bool { return s.ended != nil && s.ended[i] }

func (s *Set) running() bool {
	for _, m := range s.members {
		if m != nil {
			return true
		}
	}
	return false
}

func (s *Set) stop(reason kopf.StopReason) {
	for _, m := range s.members {
		if m != nil {
			m.stop(reason)
		}
	}
}

func (s *Set) news(state uint64) {
	if s.state == state {
		return
	}
	s.state = state
	if s.newer != nil {
		close(s.newer)
		s.newer = nil
	}
}

// leave takes a member out; own tells that it has ended by itself.
func (s *Set) leave(i int, own bool) {
	s.members[i] = nil
	if own && !s.gone {
		if s.ended == nil {
			s.ended = make([]bool, len(s.members))
		}
		s.ended[i] = true
	}
	if !s.running() {
		s.followed = false
	}
	s.prune()
}

// prune has the group forget the set once there is nothing to remember.
func (s *Set) prune() {
	if !s.running() && s.ended == nil && (s.released || s.gone) && s.group.sets[s.key] == s {
		delete(s.group.sets, s.key)
	}
}
