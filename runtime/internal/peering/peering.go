// Package peering lets operators of one kind see each other, those written in Python with Kopf included, and decides which of them is to
// pause. Each writes a record of itself into the status of a peering object and reads those of the others: whoever sees a higher
// priority pauses until that peer has gone or is dead. Records and rules are Kopf's, so that a copy in either language pauses the other.
//
// records.go reads what is in a peering object, decide.go judges it, seat.go does the talking for one object, and [Run] for all objects of
// one scope. The package stands beside the way of events: package operator asks it which scopes are paused, and ends their streams.
//
// Peering is politeness, not a lock: nothing keeps two operators from working at once until each has seen the other.
package peering

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

// The names of the peering resources: Kopf's own group, and the one that it had before.
var groups = []string{"kopf.dev", "zalando.org"}

// Resources returns the peering resources of a scope: those of the whole cluster, or those of one namespace.
func Resources(namespaced bool) []api.Resource {
	var list []api.Resource
	for _, group := range groups {
		r := api.Resource{Group: group, Version: "v1", Plural: "clusterkopfpeerings", Kind: "ClusterKopfPeering"}
		if namespaced {
			r.Plural, r.Kind, r.Namespaced = "kopfpeerings", "KopfPeering", true
		}
		list = append(list, r)
	}
	return list
}

// Own is how this operator appears to its peers.
type Own struct {
	// Identity names it. A record of the same identity is its own, whoever has written it.
	Identity string
	Priority int
	// Lifetime is how long it counts as alive without being heard of.
	Lifetime time.Duration
}

// Config says for whom to watch, and where.
type Config struct {
	Client *api.Client
	// Catalog is shared by all scopes of an operator.
	Catalog *Catalog
	Logger  *slog.Logger
	// Own returns how the operator appears; it is asked once there is somebody to appear to.
	Own func() Own
	// Name is that of the peering objects.
	Name string
	// Namespace is where they are; "" means those of the whole cluster.
	Namespace string
	// Mandatory pauses the operator while there is no such object. Otherwise it works unpeered then.
	Mandatory bool
	// Quiet leaves out the debug records of keepalives.
	Quiet bool
	// Changed is told when the scope pauses or resumes, and why. It is paused until the first call, and then as the last one said. It must
	// not block, and no two calls come at once.
	Changed func(paused bool, why string)
}

// Run keeps the operator's record in the peering objects of a scope and watches the peers until the context ends; then it removes the
// record. End the context only when nothing works on the scope any more.
func Run(ctx context.Context, c Config) {
	s := &scope{Config: c}
	own := sync.OnceValue(c.Own)
	for _, r := range Resources(c.Namespace != "") {
		s.seats = append(s.seats, newSeat(s, r, own))
	}
	var seats sync.WaitGroup
	for _, seat := range s.seats {
		seats.Go(func() { seat.run(ctx) })
	}
	seats.Wait()
}

// scope is where one namespace, or the cluster, stands. It puts together what its seats say.
type scope struct {
	Config
	seats []*seat

	mu     sync.Mutex
	told   bool // Changed was called
	paused bool
	why    string
}

// presence says whether a peering object is there.
type presence int

const (
	unknown presence = iota
	absent
	present
)

// standing is what one seat says.
type standing struct {
	there presence
	// blocked says in favour of whom the operator pauses; "" if it does not.
	blocked string
}

// report takes what a seat says now.
func (s *scope) report(of *seat, now standing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of.said = now
	all := make([]standing, len(s.seats))
	for i, seat := range s.seats {
		all[i] = seat.said
	}
	paused, why := combine(all, s.Mandatory)
	if s.told && paused == s.paused && why == s.why {
		return
	}
	if !s.told && paused && why == whyUnknown {
		return
	}
	s.told, s.paused, s.why = true, paused, why
	s.Changed(paused, why)
}

// Reasons to pause other than a peer.
const (
	whyUnknown = "the peers are not known yet"
	whyMissing = "there is no peering object, and it is mandatory"
)

// combine says whether a scope is paused by what its peering objects say.
func combine(all []standing, mandatory bool) (paused bool, why string) {
	anywhere, known := false, true
	for _, one := range all {
		if one.blocked != "" {
			return true, one.blocked
		}
		anywhere = anywhere || one.there == present
		known = known && one.there != unknown
	}
	switch {
	case !known:
		return true, whyUnknown
	case mandatory && !anywhere:
		return true, whyMissing
	}
	return false, ""
}
