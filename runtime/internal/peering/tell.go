package peering

import (
	"errors"
	"fmt"
	"strings"
)

// favoured says in favour of whom the operator pauses; "" if it does not.
func favoured(v Verdict) string {
	switch names := named(v.Blockers); {
	case !v.Paused():
		return ""
	case v.Equal:
		return "peers of the same priority: " + names
	default:
		return "peers of higher priority: " + names
	}
}

func named(peers []Peer) string {
	var names []string
	for _, p := range peers {
		names = append(names, p.String())
	}
	return strings.Join(names, ", ")
}

// tell logs what has changed since the last verdict.
func (s *seat) tell(v Verdict) {
	blockers := favoured(v)
	if blockers != s.toldBlockers {
		s.toldBlockers = blockers
		switch {
		case v.Equal:
			s.log.Warn("operators of the same priority see each other, and all of them pause. Give one of them a higher --priority; or, if they are copies"+
				" of one operator, start them with --leader-elect", "peers", named(v.Blockers))
		case v.Paused():
			s.log.Info("pausing in favour of others", "peers", named(v.Blockers))
		default:
			s.log.Info("no peer is in the way any more")
		}
	}
	for identity, ahead := range v.Skewed {
		if s.toldSkewed[identity] {
			continue
		}
		s.toldSkewed[identity] = true
		direction := "behind"
		if ahead > 0 {
			direction = "ahead of"
		}
		s.log.Warn(fmt.Sprintf("the clock of a peer is %s ours; it is judged by when its record changes", direction), "peer", identity, "by", ahead.Abs())
	}
}

// tellCorrupt logs records that cannot be read, once for each state of them.
func (s *seat) tellCorrupt(corrupt []error) {
	text := ""
	if len(corrupt) > 0 {
		text = errors.Join(corrupt...).Error()
	}
	if text != s.toldCorrupt && text != "" {
		s.log.Warn("the peering object holds what is no record of a peer; it is ignored, but stops operators made with Kopf from seeing their peers",
			"error", text)
	}
	s.toldCorrupt = text
}
