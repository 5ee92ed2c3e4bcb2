package peering

import (
	"cmp"
	"slices"
	"time"
)

// Verdict is what follows from the records of a peering object.
type Verdict struct {
	// Blockers are the live peers in whose favour the operator pauses, by identity: those of higher priority or, if there are none, those of
	// the same one.
	Blockers []Peer
	// Equal tells that the blockers have the operator's own priority. They pause as well, so that nobody works.
	Equal bool
	// Until is when the first blocker counts as dead unless it is heard of; zero if nobody blocks.
	Until time.Time
	// Dead are the identities whose records are to be removed.
	Dead []string
	// Skewed are the peers whose clocks differ from ours by more than tolerance, with the difference: positive if they are ahead.
	Skewed map[string]time.Duration
	// Own tells that the operator's own record is there.
	Own bool
}

// Paused tells whether the operator has to pause.
func (v Verdict) Paused() bool { return len(v.Blockers) > 0 }

// tolerance is how far clocks may differ, and events be late, without anybody being told.
const tolerance = 10 * time.Second

// Sighting is what is remembered of a peer, so that those can be judged as well whose clocks are wrong.
type Sighting struct {
	// Stamp is the time that its record named.
	Stamp time.Time
	// At is when it was alive, by our clock.
	At time.Time
	// Noticed is when its record was last there.
	Noticed time.Time
}

// forgetAfter is how long a peer is remembered that has no record any more.
const forgetAfter = time.Hour

// Decide judges the records of a peering object. It also returns what is to be remembered until the next time.
//
// Kopf compares the absolute times of different clocks: a peer whose clock is behind counts as dead while it works, and one whose clock
// is ahead counts as alive long after it has died. Here, a record that is seen for the first time is judged so, but not taken for younger than
// this moment; from then on, a peer was alive when we saw its record change.
func Decide(own Own, peers []Peer, seen map[string]Sighting, now time.Time) (Verdict, map[string]Sighting) {
	v := Verdict{Skewed: map[string]time.Duration{}}
	remembered := map[string]Sighting{}
	for identity, s := range seen {
		if now.Sub(s.Noticed) < forgetAfter {
			remembered[identity] = s
		}
	}
	var higher, same []Peer
	deadlines := map[string]time.Time{}
	for _, p := range peers {
		if p.Identity == own.Identity {
			v.Own = true
			continue
		}
		s, known := seen[p.Identity]
		if !known || !s.Stamp.Equal(p.LastSeen) {
			s = Sighting{Stamp: p.LastSeen, At: now}
			if !known && !p.LastSeen.IsZero() && p.LastSeen.Before(now) {
				s.At = p.LastSeen
			}
		}
		s.Noticed = now
		remembered[p.Identity] = s
		if ahead := p.LastSeen.Sub(s.At); !p.LastSeen.IsZero() && ahead.Abs() > tolerance {
			v.Skewed[p.Identity] = ahead
		}
		deadline := s.At.Add(p.Lifetime)
		switch {
		case !deadline.After(now):
			v.Dead = append(v.Dead, p.Identity)
		case p.Priority > own.Priority:
			higher = append(higher, p)
		case p.Priority == own.Priority:
			same = append(same, p)
		}
		deadlines[p.Identity] = deadline
	}
	v.Blockers, v.Equal = higher, false
	if len(higher) == 0 {
		v.Blockers, v.Equal = same, len(same) > 0
	}
	slices.SortFunc(v.Blockers, func(a, b Peer) int { return cmp.Compare(a.Identity, b.Identity) })
	for _, p := range v.Blockers {
		if at := deadlines[p.Identity]; v.Until.IsZero() || at.Before(v.Until) {
			v.Until = at
		}
	}
	return v, remembered
}

// Keepalive returns the time until the record is to be written again: five to ten seconds less than it lives, by a random number
// from 0 up to 1, as in Kopf; at least a second, and no longer than it lives.
func Keepalive(lifetime time.Duration, random float64) time.Duration {
	early := time.Duration(5+int(random*6)) * time.Second
	return max(time.Second, min(lifetime, max(time.Second, lifetime-early)))
}
