// Package facts states, as executable checks, what the runtime relies on about API servers: how departures from a selection look,
// what a patch answers, which preconditions hold where, how stored objects are normalised. The documentation of Kubernetes is silent
// about most of it.
//
// The checks run against the real server, which tells us when a new version of Kubernetes behaves differently, and against doubles
// of it, which have to behave the same. They speak plain HTTP: what a client library adds or hides is not their subject.
package facts

import (
	"testing"

	"k8s.io/client-go/rest"
)

// Server is an API server to be asked. It serves the resources of CRDs, and has no objects of them in Namespace.
type Server struct {
	Config    *rest.Config
	Namespace string
}

// Fact is something that is true of an API server.
type Fact struct {
	// Name says it.
	Name string
	// Check fails the test if it is not true of the server. Every check works on objects of its own.
	Check func(t *testing.T, s *session)
}

// All lists all facts.
func All() []Fact {
	var all []Fact
	for _, facts := range [][]Fact{watching, answering, patching, applying, storing, living, builtIn, coming} {
		all = append(all, facts...)
	}
	return all
}

// Check checks facts of a server, each as a test of its own.
func Check(t *testing.T, server Server, facts ...Fact) {
	t.Helper()
	client, err := rest.HTTPClientFor(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	for _, fact := range facts {
		t.Run(fact.Name, func(t *testing.T) {
			fact.Check(t, &session{t: t, http: client, base: server.Config.Host, namespace: server.Namespace})
		})
	}
}
