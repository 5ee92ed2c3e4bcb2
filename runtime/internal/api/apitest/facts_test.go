package apitest_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/internal/controlplane/facts"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest/typed"
)

// different are the facts that do not hold of the server in memory, and why.
var different = map[string]string{
	"a finalizer that comes while the object is deleted may be accepted, and the object be gone all the same": "it does one thing at a time; Erase does it on request",
	"members of custom resources are sorted at the top too, those of built-in kinds are not":                  "it has no types of built-in kinds, and sorts all members",
}

// What is true of the real server is true of the one in memory.
func TestFacts(t *testing.T) {
	server := apitest.NewServer()
	server.AddBuiltIn()
	server.Types, server.Controlled = typed.New(), true
	server.GiveNamespaces("facts")
	for definition := range strings.SplitSeq(facts.CRDs, "\n---\n") {
		if err := server.Define([]byte(definition)); err != nil {
			t.Fatal(err)
		}
	}
	listener := httptest.NewServer(server)
	t.Cleanup(listener.Close)

	var same []facts.Fact
	for _, fact := range facts.All() {
		if _, ok := different[fact.Name]; !ok {
			same = append(same, fact)
		}
	}
	for name := range different {
		if !slices.ContainsFunc(facts.All(), func(f facts.Fact) bool { return f.Name == name }) {
			t.Errorf("there is no fact %q", name)
		}
	}
	facts.Check(t, facts.Server{Config: &rest.Config{Host: listener.URL}, Namespace: "facts"}, same...)
}
