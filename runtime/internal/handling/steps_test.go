package handling

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var errBroken = kopf.Permanent(errors.New("broken"))

// after makes a part of one that comes after others.
func after(s kopf.Sub, ids ...string) kopf.Sub { s.After = ids; return s }

// always makes a part run however others have ended, and note their states.
func (o *object) always(id string) kopf.Sub {
	s := o.part(id, done)
	s.Always = true
	s.Run = func(ctx context.Context) (any, error) {
		var states []string
		for _, p := range kopf.Siblings(ctx) {
			states = append(states, fmt.Sprintf("%s %s", p.ID, p.State))
		}
		o.calls = append(o.calls, id+": "+strings.Join(states, ", "))
		return nil, nil
	}
	return s
}

func TestSteps(t *testing.T) {
	late := func() func(context.Context) (any, error) { return faulty(1, kopf.Temporary(errNotYet, time.Second)) }
	fails := func() func(context.Context) (any, error) { return faulty(9, errBroken) }
	for name, c := range map[string]struct {
		steps func(o *object) []kopf.Sub
		want  string
	}{
		"one after the other": {func(o *object) []kopf.Sub {
			return []kopf.Sub{o.part("a", done), after(o.part("b", done), "a"), after(o.part("c", done), "a", "b")}
		}, "a b c"},
		"one waits until the other has succeeded": {func(o *object) []kopf.Sub {
			return []kopf.Sub{o.part("a", late()), after(o.part("b", done), "a"), o.part("c", done)}
		}, "a c a b"},
		"a failure blocks what comes after it": {func(o *object) []kopf.Sub {
			return []kopf.Sub{o.part("a", fails()), after(o.part("b", done), "a"), after(o.part("c", done), "b"), o.part("d", done)}
		}, "a d"},
		"what is left out is not waited for": {func(o *object) []kopf.Sub {
			a := o.part("a", done)
			a.Skip = true
			return []kopf.Sub{a, after(o.part("b", done), "a")}
		}, "b"},
		"always after all others": {func(o *object) []kopf.Sub {
			skipped := o.part("s", done)
			skipped.Skip = true
			return []kopf.Sub{o.part("a", fails()), after(o.part("b", done), "a"), o.part("c", late()), skipped, o.always("z"), o.part("y", done)}
		}, "a c y c z: a failed, b blocked, c succeeded, s skipped"},
		"always after some": {func(o *object) []kopf.Sub {
			return []kopf.Sub{o.part("a", fails()), o.part("b", late()), after(o.always("z"), "a")}
		}, "a b z: a failed, b open b"},
		"always is done only once": {func(o *object) []kopf.Sub {
			return []kopf.Sub{o.always("z"), o.part("b", late())}
		}, "z:  b b"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, restart := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					o := newObject(t, `{}`)
					steps := c.steps(o)
					o.with(func(ctx context.Context, _ *Attempt) (any, error) { return nil, kopf.Execute(ctx, steps...) },
						Handler{ID: "p", On: progress.Create})
					o.round(t.Context())
					if restart {
						o.restart()
					}
					o.settle()
					calls := slices.DeleteFunc(o.called(), func(call string) bool { return strings.HasPrefix(call, "create p") })
					if got := strings.Join(calls, " "); got != c.want {
						t.Errorf("restart %v: got %q, want %q", restart, got, c.want)
					}
					if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
						t.Error(d)
					}
				})
			}
		})
	}
}

// While others are unfinished, a part that waits has the record that Kopf would give it, and one that is blocked or left out has none.
func TestRecordsOfSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		skipped := o.part("s", done)
		skipped.Skip = true
		o.parent(Handler{ID: "p", On: progress.Create},
			o.part("a", faulty(9, errBroken)), after(o.part("blocked", done), "a"), skipped,
			o.part("b", faulty(1, kopf.Temporary(errNotYet, time.Second))), after(o.part("waits", done), "b"))
		o.round(t.Context())
		if d := cmp.Diff([]string{"p", "p.a", "p.b", "p.waits"}, o.annotations()); d != "" {
			t.Error(d)
		}
		if r := o.record("p/waits"); r.Retries != 0 || r.Finished() || !r.Delayed.IsZero() {
			t.Errorf("%+v", r)
		}
		if want := time.Now().Add(time.Second); !o.last.Next.Equal(want) {
			t.Errorf("the parent is called at %v, not when the part that is waited for is due", o.last.Next)
		}
	})
}

func TestRequiredParts(t *testing.T) {
	for name, c := range map[string]struct {
		required []string
		want     string
	}{
		"none":                  {nil, "1 succeeded; 0 failed"},
		"one that has failed":   {[]string{"bad"}, `sub-handler \"p/bad\" failed: broken`},
		"one that is blocked":   {[]string{"next"}, `sub-handler \"p/next\" was not run`},
		"one that has not":      {[]string{"late"}, "1 succeeded; 0 failed"},
		"several, some of them": {[]string{"bad", "next", "late"}, "0 succeeded; 1 failed"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newObject(t, `{}`)
				steps := []kopf.Sub{
					o.part("bad", faulty(9, errBroken)), after(o.part("next", done), "bad"),
					o.part("late", faulty(1, kopf.Temporary(errNotYet, time.Second))), o.always("clean"),
				}
				for i := range steps {
					steps[i].Required = slices.Contains(c.required, steps[i].ID)
				}
				o.parent(Handler{ID: "p", On: progress.Create}, steps...)
				o.settle()
				if !strings.Contains(o.log.String(), c.want) {
					t.Error(o.log.String())
				}
				// The parent fails at the end, not when the part does: the others are not stopped by it.
				if calls := o.called(); !slices.Contains(calls, "late") || !strings.HasPrefix(calls[len(calls)-1], "clean: bad failed, next blocked, late succeeded") {
					t.Errorf("calls %v", calls)
				}
			})
		})
	}
}

// A part for each user: only those are served that have changed, and one that was begun is finished even if its change is taken back.
func TestAPartForEachUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		users := []string{"spec", "users"}
		o := newObject(t, `{"spec":{"users":{"ann":1,"bob":1}}}`)
		failures := map[string]int{}
		o.with(func(ctx context.Context, a *Attempt) (any, error) {
			old := map[string]any{}
			if a.Old != nil {
				old, _ = tree.DecodeObject(a.Old)
			}
			now, _ := tree.DecodeObject(a.New)
			var subs []kopf.Sub
			for _, user := range slices.Sorted(maps.Keys(now)) {
				subs = append(subs, kopf.Sub{ID: user, Value: now[user], Skip: old[user] == now[user], Run: func(context.Context) (any, error) {
					o.calls = append(o.calls, fmt.Sprint(user, "=", now[user]))
					if failures[user]--; failures[user] >= 0 {
						return nil, kopf.Temporary(errNotYet, time.Second)
					}
					return nil, nil
				}})
			}
			return nil, kopf.Execute(ctx, subs...)
		}, Handler{ID: "p", On: progress.Create | progress.Update, Field: users})
		served := func() []string {
			return slices.DeleteFunc(o.called(), func(call string) bool { return strings.Contains(call, "->") })
		}
		o.settle()
		if d := cmp.Diff([]string{"ann=1", "bob=1"}, served()); d != "" {
			t.Error(d)
		}
		o.set(int64(2), "spec", "users", "bob")
		o.settle()
		if d := cmp.Diff([]string{"bob=2"}, served()); d != "" {
			t.Error(d)
		}
		failures["ann"] = 1
		o.set(int64(3), "spec", "users", "ann")
		o.set(int64(3), "spec", "users", "cid")
		o.round(t.Context())
		o.set(int64(1), "spec", "users", "ann")
		o.settle()
		if d := cmp.Diff([]string{"ann=3", "cid=3", "ann=1"}, served()); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
			t.Error(d)
		}
	})
}

// Parts see what those before them returned, in the same round and after a restart, and their parent sees it, too.
func TestResultsOfSiblings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		var seen []string
		look := func(parts kopf.Parts) {
			text := "<none>"
			if part := parts.Find("make"); part.Result != nil {
				text = part.Result.String()
			}
			seen = append(seen, fmt.Sprint(len(parts), " ", text, " ", len(parts.Failed())))
		}
		wait := faulty(1, kopf.Wait(time.Second))
		o.with(func(ctx context.Context, _ *Attempt) (any, error) {
			err := kopf.Execute(ctx,
				kopf.Sub{ID: "make", Run: func(ctx context.Context) (any, error) {
					look(kopf.Siblings(ctx))
					return map[string]int{"port": 80}, nil
				}},
				kopf.Sub{ID: "fail", Run: func(context.Context) (any, error) { return nil, errBroken }},
				kopf.Sub{ID: "use", After: []string{"make"}, Run: func(ctx context.Context) (any, error) { look(kopf.Siblings(ctx)); return wait(ctx) }})
			look(kopf.Children(ctx))
			look(kopf.Siblings(ctx))
			return nil, err
		}, Handler{ID: "p", On: progress.Create})
		o.round(t.Context())
		o.restart()
		o.settle()
		first, again := `2 {"port":80} 1`, `3 {"port":80} 1`
		if d := cmp.Diff([]string{"0 <none> 0", first, again, "0 <none> 0", first, again, "0 <none> 0"}, seen); d != "" {
			t.Error(d)
		}
		if parts := kopf.Siblings(t.Context()); parts != nil || kopf.Children(t.Context()) != nil || kopf.CurrentAttempt(t.Context()) != (kopf.Attempt{}) {
			t.Error("there are parts outside of a handler")
		}
	})
}

// The time for the timeout of a part runs from its first attempt, however long it had to wait for others before.
func TestTimeoutOfAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		start := time.Now()
		var attempts []string
		slow := kopf.Sub{
			ID: "slow", After: []string{"first"}, Policy: kopf.Policy{Timeout: 10 * time.Second, Backoff: kopf.Backoff{From: 4 * time.Second}},
			Run: func(ctx context.Context) (any, error) {
				a := kopf.CurrentAttempt(ctx)
				attempts = append(attempts, fmt.Sprint(a.ID, " ", a.Retry, " ", a.Started.Sub(start), " ", time.Since(start)))
				return nil, errNotYet
			},
		}
		o.parent(Handler{ID: "p", On: progress.Create}, o.part("first", faulty(1, kopf.Wait(time.Hour))), slow)
		o.settle()
		want := []string{"p/slow 0 1h0m0s 1h0m0s", "p/slow 1 1h0m0s 1h0m4s", "p/slow 2 1h0m0s 1h0m8s"}
		if d := cmp.Diff(want, attempts); d != "" {
			t.Error(d)
		}
	})
}

// A handler that takes long does not use up the time of those after it.
func TestTimeoutAfterALongHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		o.with(func(context.Context, *Attempt) (any, error) { time.Sleep(time.Hour); return nil, nil }, Handler{ID: "long", On: progress.Create})
		o.with(fine, Handler{ID: "short", On: progress.Create, Policy: kopf.Policy{Timeout: time.Minute}})
		o.settle()
		if calls := o.called(); len(calls) != 2 {
			t.Errorf("calls %v\n%s", calls, o.log.String())
		}
	})
}

func TestStepsWithoutOrder(t *testing.T) {
	for name, steps := range map[string][]kopf.Sub{
		"itself":         {{ID: "a", Run: done, After: []string{"a"}}},
		"a later one":    {{ID: "a", Run: done, After: []string{"b"}}, {ID: "b", Run: done}},
		"no such part":   {{ID: "a", Run: done}, {ID: "b", Run: done, After: []string{"c"}}},
		"the full id is": {{ID: "a", Run: done}, {ID: "b", Run: done, After: []string{"p/a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newObject(t, `{}`)
			o.parent(Handler{ID: "p", On: progress.Create}, steps...)
			o.round(t.Context())
			if !strings.Contains(o.log.String(), "not listed before it") {
				t.Error(o.log.String())
			}
		})
	}
}

// Parts may be named in stages; later ones can come after those of earlier stages.
func TestStages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		late := o.part("a", faulty(1, kopf.Temporary(errNotYet, time.Second)))
		o.with(func(ctx context.Context, _ *Attempt) (any, error) {
			if err := kopf.Execute(ctx, late); err != nil {
				return nil, err
			}
			return nil, kopf.Execute(ctx, after(o.part("b", done), "a"))
		}, Handler{ID: "p", On: progress.Create})
		o.settle()
		calls := o.called()
		if d := cmp.Diff([]string{calls[0], "a", calls[0], "a", "b"}, calls); d != "" {
			t.Error(d)
		}
	})
}
