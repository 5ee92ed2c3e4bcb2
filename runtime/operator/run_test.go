package operator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var things = api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "things", Kind: "Thing", Namespaced: true, HasStatus: true}

var (
	permanently = kopf.Policy{Errors: kopf.ErrorsPermanent}
	errRefused  = errors.New("refused")
)

func refuse(context.Context, *Startup) (any, error) { return nil, errRefused }

// stage is an operator in virtual time beside an API server in memory.
type stage struct {
	t       *testing.T
	server  *apitest.Server
	began   time.Time
	options Options
	// absent has the server not know the resource yet.
	absent bool

	mu      sync.Mutex
	diary   []string // what happened, with the second
	agents  []string
	watches int
	log     bytes.Buffer
	stop    context.CancelFunc
	result  error
	stopped chan struct{}
}

func newStage(t *testing.T) *stage {
	s := &stage{t: t, server: apitest.NewServer(things), began: time.Now(), stopped: make(chan struct{})}
	s.options.Logger = slog.New(slog.NewTextHandler(lockedLog{s}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.log.String())
		}
	})
	return s
}

type lockedLog struct{ s *stage }

func (l lockedLog) Write(p []byte) (int, error) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.s.log.Write(p)
}

// note writes into the diary.
func (s *stage) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.diary = append(s.diary, fmt.Sprintf("%.0fs %s", time.Since(s.began).Seconds(), fmt.Sprintf(format, args...)))
}

// ServeHTTP notes the first request.
func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	first, absent := len(s.agents) == 0, s.absent
	s.agents = append(s.agents, r.UserAgent())
	if r.URL.Query().Has("watch") {
		s.watches++
	}
	s.mu.Unlock()
	if first {
		s.note("first request")
	}
	if absent {
		http.NotFound(w, r)
		return
	}
	s.server.ServeHTTP(w, r)
}

// run starts operators; they end with the test.
func (s *stage) run(definitions ...Definition) {
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	cfg := apitest.Config(s.t, s)
	go func() {
		defer close(s.stopped)
		s.result = Run(ctx, cfg, s.options, definitions...)
		s.note("end")
	}()
	s.t.Cleanup(func() { cancel(); <-s.stopped })
}

// end stops the operators and returns their error.
func (s *stage) end() error {
	s.stop()
	<-s.stopped
	return s.result
}

func (s *stage) create(namespace, name string) {
	s.t.Helper()
	doc := fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"size":1}}`, name)
	if _, err := s.server.Do("POST", things.Path(namespace, "", ""), "", []byte(doc)); err != nil {
		s.t.Fatal(err)
	}
}

// happened compares the diary with what should be in it.
func (s *stage) happened(want ...string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := cmp.Diff(want, s.diary); d != "" {
		s.t.Errorf("(-want +got):\n%s", d)
	}
	s.diary = nil
}

// activity notes its calls and returns the errors, one after the other.
func (s *stage) activity(id string, on Kind, errs ...error) Activity {
	return Activity{ID: id, On: on, Run: func(context.Context, *Startup) (any, error) {
		s.note("%s", id)
		if len(errs) == 0 {
			return nil, nil
		}
		err := errs[0]
		errs = errs[1:]
		return nil, err
	}}
}

// handler notes its calls and does the work.
func (s *stage) handler(id string, on Kind, work func(context.Context) error) Handler {
	return Handler{ID: id, On: on, Run: Bind(func(ctx context.Context, c *Call[None]) (any, error) {
		s.note("%s %s/%s", id, c.Namespace(), c.Name())
		if work == nil {
			return nil, nil
		}
		err := work(ctx)
		s.note("%s returns", id)
		return nil, err
	})}
}

func definition(handlers ...Handler) Definition {
	return Definition{Name: "test", Resources: []Resource{{
		Group: things.Group, Version: things.Version, Kind: things.Kind, Plural: things.Plural, Namespaced: true, Handlers: handlers,
	}}}
}

// Startup handlers come before the first request, in order, each until it is done; cleanup handlers come last.
func TestOrderOfARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		d := definition(s.handler("made", OnCreate, nil))
		d.Activities = []Activity{
			s.activity("close", OnCleanup),
			s.activity("open", OnStartup, kopf.Temporary(errRefused, 2*time.Second), kopf.Wait(time.Second), errRefused),
			s.activity("both", OnStartup|OnCleanup),
		}
		s.create("ns", "a")
		s.run(d)
		time.Sleep(time.Hour)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s open", "2s open", "3s open", "63s open", "63s both", "63s first request", "63s made ns/a", "3600s close", "3600s both", "3600s end")
		if agent := s.agents[0]; !strings.HasPrefix(agent, "test kopfgen/") {
			t.Errorf("user agent %q", agent)
		}
	})
}

func TestAnOperatorThatCannotStart(t *testing.T) {
	for name, c := range map[string]struct {
		policy kopf.Policy
		errs   []error
		want   []string
	}{
		"permanently": {errs: []error{kopf.Permanent(errRefused)}, want: []string{"0s open", "0s end"}},
		"after all retries": {
			policy: kopf.Policy{Retries: 2, Backoff: kopf.Backoff{From: time.Second}}, errs: []error{errRefused, errRefused, errRefused},
			want: []string{"0s open", "1s open", "1s end"},
		},
		"after a timeout": {
			policy: kopf.Policy{Timeout: 5 * time.Second, Backoff: kopf.Backoff{From: 3 * time.Second}}, errs: []error{errRefused, errRefused, errRefused},
			want: []string{"0s open", "3s open", "3s end"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				d := definition(s.handler("made", OnCreate, nil))
				open := s.activity("open", OnStartup, c.errs...)
				open.Policy = c.policy
				d.Activities = []Activity{open, s.activity("more", OnStartup), s.activity("close", OnCleanup)}
				s.run(d)
				<-s.stopped
				if !errors.Is(s.result, errRefused) || !strings.Contains(s.result.Error(), `starting up: handler "open"`) {
					t.Error(s.result)
				}
				s.happened(c.want...)
			})
		})
	}
}

// An error that is ignored, and a panic that is not.
func TestActivitiesFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		d := definition(s.handler("made", OnCreate, nil))
		ignored := s.activity("open", OnStartup, errRefused)
		ignored.Policy.Errors = kopf.ErrorsIgnored
		panics := Activity{ID: "first", On: OnCleanup, Policy: permanently, Run: func(context.Context, *Startup) (any, error) { panic("oops") }}
		d.Activities = []Activity{ignored, panics, s.activity("second", OnCleanup)}
		s.run(d)
		time.Sleep(time.Second)
		if err := s.end(); err == nil || !strings.Contains(err.Error(), "cleaning up") || !strings.Contains(err.Error(), "oops") {
			t.Error(err)
		}
		s.happened("0s open", "0s first request", "1s second", "1s end")
	})
}

// Cleanup handlers that never succeed do not keep the process for ever.
func TestCleaningUpTakesALimitedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		d := definition(s.handler("made", OnCreate, nil))
		d.Activities = []Activity{{ID: "close", On: OnCleanup, Run: func(context.Context, *Startup) (any, error) {
			return nil, kopf.Temporary(errRefused, 25*time.Second)
		}}}
		s.run(d)
		time.Sleep(time.Second)
		began := time.Now()
		if err := s.end(); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errRefused) || time.Since(began) != cleanupTime {
			t.Errorf("%v, after %v", err, time.Since(began))
		}
	})
}

// A signal during the startup is no failure, and nothing was begun that would have to be cleaned up.
func TestAStopDuringTheStartup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		d := definition(s.handler("made", OnCreate, nil))
		d.Activities = []Activity{s.activity("open", OnStartup, errRefused), s.activity("close", OnCleanup)}
		s.run(d)
		time.Sleep(time.Second)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s open", "1s end")
	})
}

// The handler that the signal interrupts is not called again.
func TestAStopInterruptsTheStartup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		d := definition(s.handler("made", OnCreate, nil))
		d.Activities = []Activity{{ID: "open", On: OnStartup, Run: func(ctx context.Context, _ *Startup) (any, error) {
			s.note("open")
			<-ctx.Done()
			return nil, kopf.Temporary(errRefused, 0)
		}}}
		s.run(d)
		time.Sleep(time.Second)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s open", "1s end")
	})
}

// Startup handlers change the settings; handlers' policies, and whether they are enabled, are asked once after that.
func TestStartupDecides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		started, asked := false, 0
		h := s.handler("made", OnCreate, func(context.Context) error { return errRefused })
		h.Policy = kopf.Policy{Retries: 9}
		h.PolicyFunc = func() kopf.Policy {
			if asked++; !started {
				t.Error("the policy is asked for too early")
			}
			return kopf.Policy{Retries: 2}
		}
		off := s.handler("off", OnCreate, nil)
		off.Enabled = func() bool { asked++; return !started }
		d := definition(h, off)
		d.Activities = []Activity{{ID: "open", On: OnStartup, Run: func(_ context.Context, start *Startup) (any, error) {
			start.Settings().Backoff = 5 * time.Second
			start.Settings().Turns = 0 // the default
			start.Config().Host = "changed"
			started = true
			return nil, nil
		}}}
		s.create("ns", "a")
		s.create("ns", "b")
		s.run(d)
		time.Sleep(time.Minute)
		if err := s.end(); err != nil || asked != 2 {
			t.Errorf("%v, asked %d times", err, asked)
		}
		s.mu.Lock()
		slices.Sort(s.diary[1:])
		s.mu.Unlock()
		s.happened("0s first request", "0s made ns/a", "0s made ns/b", "0s made returns", "0s made returns",
			"5s made ns/a", "5s made ns/b", "5s made returns", "5s made returns", "60s end")
	})
}

// A definition that makes no sense ends the run, with all that is wrong with it, and cleans up.
func TestMistakesOfADefinition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		broken := s.handler("broken", OnCreate, nil)
		broken.Labels, broken.Annotations = "a in", "=="
		panics := s.handler("panics", OnCreate, nil)
		panics.Enabled = func() bool { panic("oops") }
		d := definition(broken, panics, Handler{On: OnStartup})
		d.Activities = []Activity{s.activity("close", OnCleanup)}
		s.run(d)
		<-s.stopped
		for _, want := range []string{`"broken"`, "labels", "annotations", `"panics"`, "oops", "no kind", "nothing to run", "things.demo.kopf.dev"} {
			if s.result == nil || !strings.Contains(s.result.Error(), want) {
				t.Errorf("no %q in %v", want, s.result)
			}
		}
		s.happened("0s close", "0s end")
	})
}

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

// annotations are the sorted names of those of an object.
func (s *stage) annotations(name string) string {
	var names []string
	for key := range tree.Object(s.server.Object(things.Path("ns", name, "")), "metadata", "annotations") {
		names = append(names, key)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
