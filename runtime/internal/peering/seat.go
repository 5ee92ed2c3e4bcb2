package peering

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/discovery"
)

// Times of a seat.
const (
	// touchAgain is the pause after a keepalive that failed.
	touchAgain = 2 * time.Second
	// retouch is the least time between two keepalives of which the first was undone by somebody else.
	retouch = 10 * time.Second
	// farewell bounds the removal of the own record at the end.
	farewell = 5 * time.Second
)

// seat is the operator's place at one peering object. All fields but said and news belong to the goroutine of run.
type seat struct {
	scope    *scope
	resource api.Resource
	log      *slog.Logger
	own      func() Own
	news     *mailbox
	said     standing // guarded by the scope

	state   state
	seen    map[string]Sighting
	touched time.Time // when the record was last written; zero if it is not there
	failing bool      // the last keepalive failed
	// keepalive is when the record has to be written again, review when blockers may have died; zero if there are none.
	keepalive, review time.Time

	// What was last told, so that nothing is told twice.
	toldBlockers, toldCorrupt string
	toldSkewed                map[string]bool
}

func newSeat(s *scope, r api.Resource, own func() Own) *seat {
	log := s.Logger.With("peering", s.Name, "resource", r.String())
	if s.Namespace != "" {
		log = log.With("namespace", s.Namespace)
	}
	return &seat{
		scope: s, resource: r, log: log, own: own, news: newMailbox(s.Name),
		seen: map[string]Sighting{}, toldSkewed: map[string]bool{},
	}
}

// run talks until the context ends.
func (s *seat) run(ctx context.Context) {
	if !s.find(ctx) {
		return
	}
	watching := s.news.watch(ctx, s.scope.Client, s.resource, s.scope.Namespace, s.log)
	defer watching.Wait()
	defer s.leave(context.WithoutCancel(ctx))
	// Two things may be due: the next keepalive, and another look at blockers that may have died. Both are done by a keepalive, whose answer is
	// the newest state.
	due := time.NewTimer(0)
	due.Stop()
	defer due.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.news.arrived:
			s.take(ctx)
		case <-due.C:
			s.touch(ctx)
		}
		due.Stop()
		if next, ok := s.next(); ok {
			due.Reset(time.Until(next))
		}
	}
}

// find waits until the server has the resource. It returns false if the context ends first.
func (s *seat) find(ctx context.Context) bool {
	for {
		found, err := s.scope.Catalog.find(ctx, s.resource)
		switch {
		case ctx.Err() != nil:
			return false
		case err == nil:
			s.resource = found.Resource
			return true
		}
		if s.state.there == unknown {
			s.explain(err)
			s.state.there = absent
		}
		s.scope.report(s, standing{there: absent})
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return false
		}
	}
}

// take looks at what the stream says.
func (s *seat) take(ctx context.Context) {
	n := s.news.newest()
	switch n.there {
	case absent:
		if s.state.there == present {
			s.log.Warn("the peering object has gone")
		}
		s.explain(n.trouble)
		s.state, s.touched = state{there: absent}, time.Time{}
		s.scope.report(s, standing{there: absent})
	case present:
		if s.state.there != present || s.touched.IsZero() {
			// Be seen before looking: of two that begin at once, the second to write sees the first.
			s.state.there = present
			s.touch(ctx)
		}
		s.look(ctx, n.state)
	}
}

// explain says why the peering object cannot be seen, if somebody should know.
func (s *seat) explain(err error) {
	switch {
	case err == nil, apierrors.IsNotFound(err), isAbsent(err):
		if s.scope.Mandatory && s.state.there == unknown {
			s.log.Warn("there is no peering object; pausing until it comes, since it is mandatory")
		}
	case s.scope.Mandatory:
		s.log.Error("the peering object cannot be read; pausing until it can, since it is mandatory", "error", err)
	case apierrors.IsForbidden(err):
		s.log.Info("the operator may not see its peers; working without peering", "error", err)
	default:
		s.log.Warn("the peers cannot be seen; working without peering", "error", err)
	}
}

func isAbsent(err error) bool {
	_, is := errors.AsType[*discovery.AbsentError](err)
	return is
}

// next returns when the seat has something to do by itself.
func (s *seat) next() (time.Time, bool) {
	if s.state.there != present {
		return time.Time{}, false
	}
	return earlier(s.keepalive, s.review), true
}

// look judges a state of the object, unless a newer one was judged before, and acts on it.
func (s *seat) look(ctx context.Context, newest state) {
	if newest.raw == nil || newest.older(s.state) {
		return
	}
	s.state = newest
	own, now := s.own(), time.Now()
	peers, corrupt := Read(newest.raw)
	s.tellCorrupt(corrupt)
	verdict, seen := Decide(own, peers, s.seen, now)
	s.seen = seen
	s.tell(verdict)
	if !verdict.Own && !s.touched.IsZero() {
		// Somebody took us for dead, or a copy of the same identity has left.
		s.keepalive = earlier(s.keepalive, s.touched.Add(retouch))
	}
	s.review = verdict.Until
	s.scope.report(s, standing{there: present, blocked: favoured(verdict)})
	if len(verdict.Dead) > 0 {
		s.remove(ctx, newest.version, verdict.Dead...)
	}
}

// touch writes the operator's record and looks at the answer.
func (s *seat) touch(ctx context.Context) {
	own, now := s.own(), time.Now()
	patch, err := own.patch(now)
	var answer []byte
	if err == nil {
		answer, err = s.patch(ctx, patch)
	}
	if err != nil {
		s.keepalive, s.review = now.Add(touchAgain), time.Time{}
		if ctx.Err() == nil && !s.failing {
			s.failing = true
			s.log.Warn("the operator cannot tell its peers that it is alive; trying again", "error", err)
		}
		return
	}
	if !s.scope.Quiet {
		s.log.Debug("told the peers that the operator is alive", "identity", own.Identity)
	}
	s.failing = false
	s.touched = now
	s.keepalive = now.Add(Keepalive(own.Lifetime, rand.Float64()))
	s.look(ctx, stateOf(answer))
}

// patch changes the status of the object, where the resource keeps it.
func (s *seat) patch(ctx context.Context, patch []byte) ([]byte, error) {
	sub := ""
	if s.resource.HasStatus {
		sub = "status"
	}
	return s.scope.Client.Patch(ctx, s.resource.Path(s.scope.Namespace, s.scope.Name, sub), types.MergePatchType, patch, nil)
}

// remove removes records of the dead, if the object is still as it was when they were judged.
func (s *seat) remove(ctx context.Context, version string, identities ...string) {
	patch, err := removal(version, identities...)
	if err == nil {
		_, err = s.patch(ctx, patch)
	}
	switch {
	case err == nil:
		s.log.Info("removed the records of dead peers", "peers", strings.Join(identities, ", "))
	case !apierrors.IsConflict(err) && ctx.Err() == nil:
		s.log.Warn("the records of dead peers cannot be removed", "peers", strings.Join(identities, ", "), "error", err)
	}
}

// leave removes the operator's own record.
func (s *seat) leave(ctx context.Context) {
	if s.touched.IsZero() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, farewell)
	defer cancel()
	patch, err := removal("", s.own().Identity)
	if err == nil {
		_, err = s.patch(ctx, patch)
	}
	if err != nil && !apierrors.IsNotFound(err) {
		s.log.Warn("the operator's own record cannot be removed; peers will take it for alive for a while", "error", err)
	}
}

// earlier returns the earlier of two times, of which one may be zero, which is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
