package kopftest_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/kopftest"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// Thing is what the operators of these tests handle.
type Thing struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace,omitempty"`
	} `json:"metadata"`
	Spec   ThingSpec `json:"spec"`
	Status struct {
		Made string `json:"made,omitempty"`
	} `json:"status"`
}

// ThingSpec says what is wanted.
type ThingSpec struct {
	Size int `json:"size"`
}

func thing(name string, size int) *Thing {
	t := &Thing{Spec: ThingSpec{Size: size}}
	t.Metadata.Name = name
	return t
}

// things returns an operator with the handlers.
func things(handlers ...operator.Handler) func() operator.Definition {
	return func() operator.Definition {
		return operator.Definition{Name: "things", Resources: []operator.Resource{{
			Group: "test.kopf.dev", Version: "v1", Kind: "Thing", Plural: "things", Namespaced: true, Handlers: handlers,
		}}}
	}
}

func handler(id string, on operator.Kind, run func(context.Context, *operator.Call[Thing]) (any, error)) operator.Handler {
	return operator.Handler{ID: id, On: on, Run: operator.Bind(run)}
}

// stubborn succeeds at its n-th attempt, with ten minutes between them.
func stubborn(n int) operator.Handler {
	return handler("made", operator.OnCreate, func(_ context.Context, c *operator.Call[Thing]) (any, error) {
		if c.Retry() < n-1 {
			return nil, kopf.Temporary(errors.New("not yet"), 10*time.Minute)
		}
		return "made", nil
	})
}

var resize = handler("resize", operator.OnUpdate, func(_ context.Context, c *operator.Call[Thing]) (any, error) {
	return c.Object().Spec.Size, nil
})

var options = kopftest.Options{CRDs: "testdata/*.yaml"}

// inBubble runs a test in virtual time.
func inBubble(t *testing.T, test func(t *testing.T)) { t.Helper(); synctest.Test(t, test) }

func TestRetriesTakeTheirTime(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		stage := options.New(t, things(stubborn(3)))
		a := stage.Create(thing("a", 1))
		a.Expect(`{progress: {made: {retries: 1, message: not yet}}, status: null}`)
		stage.Advance(10*time.Minute - time.Second)
		a.Expect(`progress: {made: {retries: 1}}`)
		stage.Advance(time.Second)
		a.Expect(`progress: {made: {retries: 2}}`)
		if took := a.Within(10*time.Minute, `{status: {made: made}, progress: null, handled: {spec: {size: 1}}}`); took != 10*time.Minute {
			t.Errorf("it took %v", took)
		}
		if stage.Elapsed() != 20*time.Minute {
			t.Errorf("%v have passed", stage.Elapsed())
		}
		var typed Thing
		if a.Into(&typed); typed.Status.Made != "made" || typed.Metadata.Namespace != "default" {
			t.Errorf("%+v", typed)
		}
	})
}

// Pruning, defaults and refusals are those of the definition.
func TestDefinitionsAreUsed(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		stage := options.New(t, things(resize))
		a := stage.Create(`{apiVersion: test.kopf.dev/v1, kind: Thing, metadata: {name: a, namespace: other}, spec: {unknown: 1}}`)
		a.Expect(`spec: {size: 3, unknown: null}`)
		if again := stage.Object("Thing", "other/a"); again.Lacks(kopftest.Gone) == "" || again.String() != "Thing other/a" {
			t.Errorf("%s is not there", again)
		}
		a.Patch(`spec: {size: 7}`)
		a.Expect(`{status: {resize: null}, handled: {spec: {size: 7}}}`)
		if len(stage.Log("level=WARN", "the schema of the resource does not have it")) == 0 {
			t.Error("the pruned result was not noticed")
		}
		if failed := failure(func(t testing.TB) { options.New(t, things(resize)).Create(thing("b", -1)) }); !strings.Contains(failed.message, "at least 0") {
			t.Errorf("a refused object: %q", failed.message)
		}
	})
}

func TestDeletionWaitsForItsHandler(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		last := handler("last", operator.OnDelete, func(_ context.Context, c *operator.Call[Thing]) (any, error) {
			if c.Runtime() < time.Hour {
				return nil, kopf.Wait(20 * time.Minute)
			}
			return nil, nil
		})
		definition := func() operator.Definition {
			d := things(last)()
			d.Resources[0].Watch.Finalizer = true
			return d
		}
		stage := options.New(t, definition)
		a := stage.Create(thing("a", 1))
		a.Expect(`metadata: {finalizers: [kopf.zalando.org/KopfFinalizerMarker], deletionTimestamp: null}`)
		a.Delete()
		a.Expect(`progress: {last: {success: false}}`)
		if took := a.Within(2*time.Hour, kopftest.Gone); took != time.Hour {
			t.Errorf("it took %v", took)
		}
	})
}

// A restart loses nothing, and what was done while the operator was away is handled.
func TestRestart(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		stage := options.New(t, things(stubborn(2), resize))
		a := stage.Create(thing("a", 1))
		stage.Advance(4 * time.Minute)
		stage.Restart()
		a.Expect(`progress: {made: {retries: 1}}`)
		if took := a.Within(time.Hour, `status: {made: made}`); took != 6*time.Minute {
			t.Errorf("it took %v", took)
		}
		stage.Stop()
		stage.Stop()
		a.Patch(`spec: {size: 2}`)
		stage.Advance(24 * time.Hour)
		a.Expect(`handled: {spec: {size: 1}}`)
		stage.Start()
		a.Expect(`handled: {spec: {size: 2}}`)
	})
}

func TestFaults(t *testing.T) {
	for name, tt := range map[string]struct {
		fault kopftest.Fault
		// soon is when the state must have been saved.
		soon time.Duration
	}{
		"a conflict":     {fault: kopftest.Fault{Status: http.StatusConflict}, soon: time.Minute},
		"a breakdown":    {fault: kopftest.Fault{Status: http.StatusInternalServerError}, soon: time.Minute},
		"a lost request": {fault: kopftest.Fault{LoseRequest: true}, soon: time.Minute},
		"a lost answer":  {fault: kopftest.Fault{LoseAnswer: true}, soon: time.Minute},
		"a slow server":  {fault: kopftest.Fault{Delay: 30 * time.Second}, soon: 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				stage := options.New(t, things(stubborn(1), resize))
				stage.Fail(kopftest.Patch, 3, tt.fault)
				a := stage.Create(thing("a", 1)) // two patches: object and status
				a.Expect(`{status: {made: made}, handled: {spec: {size: 1}}}`)
				a.Patch(`spec: {size: 2}`)
				if tt.fault.LoseAnswer != (a.Lacks(`handled: {spec: {size: 2}}`) == "") {
					t.Errorf("at once: %s", a.State())
				}
				a.Within(tt.soon, `handled: {spec: {size: 2}}`)
			})
		})
	}
}

func TestLateAndBrokenWatches(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		stage := options.New(t, things(resize))
		a := stage.Create(thing("a", 1))
		stage.Late(5 * time.Minute)
		a.Patch(`spec: {size: 2}`)
		a.Patch(`spec: {size: 3}`)
		a.Expect(`handled: {spec: {size: 1}}`)
		if took := a.Within(time.Hour, `handled: {spec: {size: 3}}`); took != 5*time.Minute {
			t.Errorf("it took %v", took)
		}
		stage.Late(0)
		watches := len(stage.Requests(kopftest.Watch))
		stage.CutWatches()
		a.Patch(`spec: {size: 4}`)
		a.Within(time.Minute, `handled: {spec: {size: 4}}`)
		stage.CutWatches()
		a.Patch(`spec: {size: 5}`)
		stage.Forget()
		a.Within(time.Minute, `handled: {spec: {size: 5}}`)
		if more := len(stage.Requests(kopftest.Watch)) - watches; more < 3 {
			t.Errorf("%d watches were opened; want one after each break, and one that lists", more)
		}
	})
}

// A day at rest is a day without a write.
func TestRestIsQuiet(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		stage := options.New(t, things(stubborn(1)))
		stage.Create(thing("a", 1))
		before := stage.Requests(kopftest.Patch)
		stage.Advance(24 * time.Hour)
		if d := cmp.Diff(before, stage.Requests(kopftest.Patch)); d != "" || len(before) == 0 {
			t.Errorf("%d patches (-before +after):\n%s", len(before), d)
		}
	})
}

// What the operator does not declare and has no definition of is served without a schema.
func TestWithoutDefinitions(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		stage := kopftest.New(t, things(stubborn(1)))
		stage.Create(`{apiVersion: test.kopf.dev/v1, kind: Thing, metadata: {name: a}, spec: {unknown: 1}}`).
			Expect(`{spec: {unknown: 1}, status: {made: made}}`)
		stage.Create(`{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {c: d}}`)
		stage.Object("ConfigMap", "b").Expect(`data: {c: d}`)
	})
}
