package handling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// part makes a sub-handler that notes its calls.
func (o *object) part(id string, work func(context.Context) (any, error)) kopf.Sub {
	return kopf.Sub{ID: id, Run: func(ctx context.Context) (any, error) {
		o.calls = append(o.calls, id)
		return work(ctx)
	}}
}

func done(context.Context) (any, error) { return nil, nil }

// faulty fails with the error so many times, and is done then.
func faulty(n int, err error) func(context.Context) (any, error) {
	return func(context.Context) (any, error) {
		if n--; n >= 0 {
			return nil, err
		}
		return "late", nil
	}
}

func (o *object) parent(h Handler, subs ...kopf.Sub) {
	o.with(func(ctx context.Context, _ *Attempt) (any, error) { return "parent", kopf.Execute(ctx, subs...) }, h)
}

func TestChildrenRoundsUseUpNoRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		o.parent(Handler{ID: "p", On: progress.Create, Policy: kopf.Policy{Retries: 2}},
			o.part("a", done), o.part("b", faulty(5, kopf.Temporary(errNotYet, time.Second))), o.part("c", faulty(1, kopf.Wait(time.Minute))))
		o.round(t.Context())
		if r := o.record("p"); r.Retries != 0 || *r.Message != "None" || !r.Delayed.Equal(time.Now().Add(time.Second)) {
			t.Errorf("record %+v", r)
		}
		if _, written := o.last.Asks.Results["p"]; written {
			t.Error("an unfinished parent has a result")
		}
		o.settle()
		got := map[string]int{}
		for _, call := range o.called() {
			got[strings.Fields(call)[0]]++
		}
		if d := cmp.Diff(map[string]int{"create": 7, "a": 1, "b": 6, "c": 2}, got); d != "" {
			t.Error(d)
		}
		status, _ := json.Marshal(o.state["status"])
		if want := `{"p":"parent","p/b":"late","p/c":"late"}`; string(status) != want {
			t.Errorf("status %s", status)
		}
		if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
			t.Error(d)
		}
	})
}

func TestChildrenDoNotFailTheirParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		limited := o.part("b", faulty(5, errNotYet))
		limited.Policy = kopf.Policy{Retries: 2, Backoff: kopf.Backoff{From: time.Second}}
		o.parent(Handler{ID: "p", On: progress.Create}, o.part("a", faulty(1, kopf.Permanent(errNotYet))), limited,
			o.part("c", func(context.Context) (any, error) { panic("oops") }))
		o.resource.Defaults = kopf.Policy{Errors: kopf.ErrorsPermanent}
		start := time.Now()
		o.settle()
		if time.Since(start) > time.Minute || !strings.Contains(o.log.String(), "creation is processed: 1 succeeded; 0 failed") {
			t.Error(o.log.String())
		}
		if strings.Count(o.log.String(), "failed permanently") != 3 {
			t.Error(o.log.String())
		}
	})
}

// Whatever the parent returns, it is unfinished while children are open.
func TestAParentIsUnfinishedWithItsChildren(t *testing.T) {
	for name, returned := range map[string]error{
		"nothing":   nil,
		"permanent": kopf.Permanent(errors.New("no")),
		"arbitrary": errors.New("oops"),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newObject(t, `{}`)
				sub := o.part("a", faulty(1, kopf.Temporary(errNotYet, time.Second)))
				rounds := 0
				o.with(func(ctx context.Context, _ *Attempt) (any, error) {
					if rounds++; kopf.Execute(ctx, sub) != nil {
						return nil, returned
					}
					return nil, nil
				}, Handler{ID: "p", On: progress.Create})
				o.settle()
				if rounds != 2 || !strings.Contains(o.log.String(), "1 succeeded; 0 failed") {
					t.Errorf("%d rounds\n%s", rounds, o.log.String())
				}
			})
		})
	}
}

func TestFinishedChildrenDoNotRunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		o.parent(Handler{ID: "p", On: progress.Create}, o.part("a", done), o.part("b", faulty(1, kopf.Temporary(errNotYet, time.Second))))
		o.round(t.Context())
		o.restart()
		o.settle()
		calls := o.called()
		if d := cmp.Diff([]string{calls[0], "a", "b", calls[0], "b"}, calls); d != "" {
			t.Error(d)
		}
	})
}

func TestChildrenOfChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		deepest := o.part("z", faulty(1, kopf.Temporary(errNotYet, time.Second)))
		middle := o.part("m", func(ctx context.Context) (any, error) { return nil, kopf.Execute(ctx, deepest, o.part("y", done)) })
		o.parent(Handler{ID: "p", On: progress.Create}, middle)
		o.round(t.Context())
		if d := cmp.Diff([]string{"p", "p.m", "p.m.y", "p.m.z"}, o.annotations()); d != "" {
			t.Error(d)
		}
		for id, want := range map[string][]string{"p": {"p/m", "p/m/y", "p/m/z"}, "p/m": {"p/m/y", "p/m/z"}, "p/m/y": nil} {
			if d := cmp.Diff(want, o.record(id).Subrefs); d != "" {
				t.Errorf("%s: %s", id, d)
			}
		}
		o.restart()
		o.settle()
		got := map[string]int{}
		for _, call := range o.called() {
			got[strings.Fields(call)[0]]++
		}
		if d := cmp.Diff(map[string]int{"create": 2, "m": 2, "y": 1, "z": 2}, got); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
			t.Error(d)
		}
	})
}

// The object changes while children are open: those whose part of it has changed run again, others do not.
func TestChildrenAndChanges(t *testing.T) {
	items := []string{"spec", "items"}
	for name, c := range map[string]struct {
		on     progress.Kind
		values bool
		want   []string
	}{
		"update, with values":      {progress.Update, true, []string{"a=2", "slow=9"}},
		"update, without values":   {progress.Update, false, []string{"a=2", "b=1", "slow=9"}},
		"creation, with values":    {progress.Create, true, []string{"a=2", "slow=9"}},
		"creation, without values": {progress.Create, false, []string{"slow=9"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newObject(t, `{"spec":{"items":{"a":0,"b":0,"slow":0}}}`)
				var ran []string
				late := faulty(1, kopf.Temporary(errNotYet, time.Minute))
				h := Handler{ID: "p", On: c.on, Field: items}
				o.with(func(ctx context.Context, a *Attempt) (any, error) {
					now, err := tree.DecodeObject(a.New)
					if err != nil {
						return nil, err
					}
					var subs []kopf.Sub
					for _, id := range []string{"a", "b", "slow"} {
						s := kopf.Sub{ID: id, Run: func(ctx context.Context) (any, error) {
							ran = append(ran, fmt.Sprint(id, "=", now[id]))
							if id == "slow" {
								return late(ctx)
							}
							return nil, nil
						}}
						if c.values {
							s.Value = now[id]
						}
						subs = append(subs, s)
					}
					return nil, kopf.Execute(ctx, subs...)
				}, h)
				if c.on == progress.Update {
					o.round(t.Context())
				}
				o.set(map[string]any{"a": int64(1), "b": int64(1), "slow": int64(9)}, items...)
				o.round(t.Context())
				if d := cmp.Diff([]string{"a=1", "b=1", "slow=9"}, ran); d != "" {
					t.Fatal(d)
				}
				ran = nil
				o.set(int64(2), "spec", "items", "a")
				o.settle()
				if d := cmp.Diff(c.want, ran); d != "" {
					t.Error(d)
				}
				if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
					t.Error(d)
				}
			})
		})
	}
}

// A child of a creation that is not told of a change makes it a mixed one.
func TestAChildMayMakeAMixedCreation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		o.parent(Handler{ID: "p", On: progress.Create}, o.part("a", done), o.part("b", faulty(1, kopf.Temporary(errNotYet, time.Second))))
		o.with(fine, Handler{ID: "u", On: progress.Update})
		o.round(t.Context())
		o.called()
		o.set(int64(2), x...)
		o.settle()
		want := []string{`create p#0 ->{"spec":{"x":2}}`, "b", `update u#0 {"spec":{"x":1}}->{"spec":{"x":2}}`}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
	})
}

// Sub-handlers of a deletion do not take over what sub-handlers of the creation with the same ids have done.
func TestChildrenOfADeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		o.parent(Handler{ID: "p", On: progress.Create | progress.Delete}, o.part("a", done), o.part("b", faulty(1, kopf.Temporary(errNotYet, time.Hour))))
		o.round(t.Context())
		o.round(t.Context())
		o.called()
		o.remove()
		o.settle()
		if d := cmp.Diff([]string{`delete p#0 ->{}`, "a", "b"}, o.called()); d != "" {
			t.Error(d)
		}
	})
}

func TestATurnEndsBetweenChildren(t *testing.T) {
	o := newObject(t, `{}`)
	o.parent(Handler{ID: "p", On: progress.Create}, o.part("a", done), o.part("b", done))
	o.newer = func() bool { return true }
	for _, want := range []string{"a", "b"} {
		o.round(t.Context())
		if calls := o.called(); len(calls) != 2 || calls[1] != want {
			t.Errorf("calls %v", calls)
		}
	}
	if !o.last.Handled {
		t.Errorf("%+v", o.last)
	}
}

func TestWrongChildren(t *testing.T) {
	run := func(context.Context) (any, error) { panic("called") }
	for name, subs := range map[string][]kopf.Sub{
		"exists twice":                   {{ID: "a", Run: run}, {ID: "a", Run: run}},
		"exists twice ":                  {{ID: "a/b", Run: run}, {ID: "a.b", Run: run}},
		"has no id":                      {{Run: run}},
		"p/ü":                            {{ID: "ü", Run: run}},
		"has nothing to run":             {{ID: "a"}},
		`the value of sub-handler "p/a"`: {{ID: "a", Run: run, Value: func() {}}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newObject(t, `{}`)
			var err error
			o.with(func(ctx context.Context, _ *Attempt) (any, error) {
				err = kopf.Execute(ctx, subs...)
				return nil, err
			}, Handler{ID: "p", On: progress.Create})
			o.round(t.Context())
			if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(name)) || o.last.Handled || o.record("p").Retries != 1 {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A child that takes the context of its parent would wait for itself.
func TestExecuteWithinExecute(t *testing.T) {
	o := newObject(t, `{}`)
	var err error
	o.with(func(ctx context.Context, _ *Attempt) (any, error) {
		return nil, kopf.Execute(ctx, o.part("a", func(context.Context) (any, error) {
			err = kopf.Execute(ctx, o.part("b", done))
			return nil, nil
		}))
	}, Handler{ID: "p", On: progress.Create})
	o.round(t.Context())
	if err == nil || len(o.called()) != 2 {
		t.Errorf("error %v", err)
	}
}

func TestExecuteAfterTheHandler(t *testing.T) {
	o := newObject(t, `{}`)
	var leaked context.Context
	o.with(func(ctx context.Context, _ *Attempt) (any, error) {
		leaked = ctx
		return nil, nil
	}, Handler{ID: "p", On: progress.Create})
	o.round(t.Context())
	if err := kopf.Execute(leaked, kopf.Sub{ID: "a", Run: done}); err == nil {
		t.Error("a sub-handler ran after its parent")
	}
}
