package operator

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// A handler that runs when the operator is told to stop may finish; no other is called.
func TestGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.options.Settings.Grace = 10 * time.Second
		d := definition(s.handler("slow", OnCreate, func(context.Context) error { time.Sleep(6 * time.Second); return nil }), s.handler("next", OnCreate, nil))
		d.Activities = []Activity{s.activity("close", OnCleanup)}
		s.run(d)
		time.Sleep(time.Second)
		s.create("ns", "a")
		time.Sleep(time.Second)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s first request", "1s slow ns/a", "7s slow returns", "7s close", "7s end")
		if annotations := s.annotations("a"); !strings.Contains(annotations, "slow") {
			t.Errorf("what was done is not saved: %s", annotations)
		}
	})
}

// One that does not finish in time has its context ended, and is called again by the next run; what others did before it is saved.
func TestGraceExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.options.Settings.Grace = 10 * time.Second
		d := definition(s.handler("first", OnCreate, nil), s.handler("slow", OnCreate, func(ctx context.Context) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}))
		s.run(d)
		time.Sleep(time.Second)
		s.create("ns", "a")
		time.Sleep(time.Second)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s first request", "1s first ns/a", "1s slow ns/a", "12s slow returns", "12s end")
		if annotations := s.annotations("a"); !strings.Contains(annotations, "first") || !strings.Contains(annotations, "slow") {
			t.Errorf("what was done is not saved: %s", annotations)
		}
	})
}

// One that does not even return then is left behind with an error.
func TestAHandlerThatDoesNotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.options.Settings.Grace = 10 * time.Second
		block := make(chan struct{})
		defer close(block)
		d := definition(s.handler("stubborn", OnCreate, func(context.Context) error { <-block; return nil }))
		d.Activities = []Activity{s.activity("close", OnCleanup)}
		s.create("ns", "a")
		s.run(d)
		time.Sleep(time.Second)
		if err := s.end(); err == nil || !strings.Contains(err.Error(), "1 handlers did not return") {
			t.Error(err)
		}
		s.happened("0s first request", "0s stubborn ns/a", "15s close", "15s end")
	})
}

// A resource that is not there yet is served when it comes.
func TestAResourceComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.absent = true
		s.create("ns", "a")
		s.run(definition(s.handler("made", OnCreate, nil)))
		time.Sleep(59 * time.Second)
		s.happened("0s first request")
		s.mu.Lock()
		s.absent = false
		s.mu.Unlock()
		time.Sleep(discoveryInterval)
		s.happened("60s made ns/a")
		if err := s.end(); err != nil {
			t.Error(err)
		}
		if n := strings.Count(s.log.String(), "is not there yet"); n > 2 {
			t.Errorf("it is said %d times", n)
		}
	})
}

// Only the namespaces that were asked for are served, each once.
func TestNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.options.Namespaces = []string{"b", "a", "b"}
		for _, namespace := range []string{"a", "b", "c"} {
			s.create(namespace, "x")
		}
		s.run(definition(s.handler("made", OnCreate, nil)))
		time.Sleep(time.Second)
		s.mu.Lock()
		slices.Sort(s.diary)
		s.mu.Unlock()
		s.happened("0s first request", "0s made a/x", "0s made b/x")
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
}

// A resource without namespaces is served whatever namespaces were asked for.
func TestResourcesOfTheCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		worlds := api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "worlds", Kind: "World"}
		s.server = apitest.NewServer(worlds)
		s.options.Namespaces = []string{"a", "b"}
		if _, err := s.server.Do("POST", worlds.Path("", "", ""), "", []byte(`{"metadata":{"name":"x"}}`)); err != nil {
			t.Fatal(err)
		}
		d := definition(s.handler("made", OnCreate, nil))
		d.Resources[0].Kind, d.Resources[0].Plural, d.Resources[0].Namespaced = worlds.Kind, worlds.Plural, false
		s.run(d)
		time.Sleep(time.Second)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s first request", "0s made /x", "1s end")
		if s.watches != 1 {
			t.Errorf("%d watches", s.watches)
		}
	})
}

// A result goes to the key of the status that the handler names, by default its id.
func TestKeysOfResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		give := Bind(func(context.Context, *Call[None]) (any, error) { return 1, nil })
		s.create("ns", "a")
		s.run(definition(Handler{ID: "one", On: OnCreate, Run: give}, Handler{ID: "two", On: OnCreate, Result: "second", Run: give},
			Handler{ID: "three", On: OnCreate, Result: ResultNone, Run: give}))
		time.Sleep(time.Second)
		if got := s.server.Object(things.Path("ns", "a", ""))["status"]; !tree.Equal(got, map[string]any{"one": int64(1), "second": int64(1)}) {
			t.Errorf("status %v", got)
		}
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
}

// Several operators run side by side; if one fails, the others stop in order.
func TestSeveralOperators(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.create("ns", "a")
		one := definition(s.handler("made", OnCreate, nil))
		one.Name = "one"
		one.Activities = []Activity{s.activity("close one", OnCleanup)}
		two := Definition{Name: "two", Activities: []Activity{{ID: "open", On: OnStartup, Run: func(context.Context, *Startup) (any, error) {
			time.Sleep(time.Minute)
			return nil, kopf.Permanent(errRefused)
		}}}}
		s.run(one, two)
		<-s.stopped
		if !errors.Is(s.result, errRefused) || !strings.Contains(s.result.Error(), "operator two") || strings.Contains(s.result.Error(), "operator one") {
			t.Error(s.result)
		}
		s.happened("0s first request", "0s made ns/a", "60s close one", "60s end")
	})
}

// The prefix and the finalizer of the definition are those on the wire.
func TestNamesOnTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		d := definition(s.handler("made", OnCreate, nil), s.handler("gone", OnDelete, nil))
		d.Defaults = Defaults{Prefix: "op.example.com", Finalizer: "op.example.com/finalizer"}
		s.create("ns", "a")
		s.run(d)
		time.Sleep(time.Second)
		object := s.server.Object(things.Path("ns", "a", ""))
		if finalizers, _ := tree.Get(object, "metadata", "finalizers"); !tree.Equal(finalizers, []any{"op.example.com/finalizer"}) {
			t.Errorf("finalizers %v", finalizers)
		}
		if got := s.annotations("a"); got != "op.example.com/kopf-managed op.example.com/last-handled-configuration" {
			t.Errorf("annotations %s", got)
		}
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
}
