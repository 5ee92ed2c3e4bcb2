package handling

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/cause"
	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var (
	errNotYet = errors.New("not yet")
	x         = []string{"spec", "x"}
)

func TestOneRoundLeavesNoTrace(t *testing.T) {
	o := newObject(t, `{"spec":{"x":1}}`)
	o.with(fine, Handler{ID: "a", On: progress.Create}, Handler{ID: "b", On: progress.Create})
	o.round(t.Context())
	if len(o.calls) != 2 || !o.last.Handled || !o.last.Next.IsZero() {
		t.Errorf("calls %v, %+v", o.calls, o.last)
	}
	if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
		t.Error(d)
	}
	if got := o.annotation("last-handled-configuration"); got != `{"spec":{"x":1}}`+"\n" {
		t.Errorf("stored %q", got)
	}
	if o.round(t.Context()) || !o.last.Handled || o.last.Cause.Kind != cause.Noop || len(o.calls) != 2 {
		t.Errorf("a second round: %+v, calls %v", o.last, o.calls)
	}
}

// A state that no handler of the reason is for counts as handled.
func TestNoHandlerForTheReason(t *testing.T) {
	o := newObject(t, `{"spec":{"x":1}}`)
	o.with(fine, Handler{ID: "u", On: progress.Update})
	o.round(t.Context())
	if len(o.calls) > 0 || o.annotation("last-handled-configuration") == "" || strings.Contains(o.log.String(), "INFO") {
		t.Errorf("calls %v\n%s", o.calls, o.log.String())
	}
	o.set(int64(2), x...)
	o.round(t.Context())
	if d := cmp.Diff([]string{`update u#0 {"spec":{"x":1}}->{"spec":{"x":2}}`}, o.called()); d != "" {
		t.Error(d)
	}
}

// In Kopf, the second change is lost to the handlers that have finished for the first.
func TestAChangeDuringARetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		o.with(fine, Handler{ID: "a", On: progress.Update}, Handler{ID: "fx", On: progress.Field, Field: x})
		o.settle()
		o.called()
		o.with(failing(kopf.Temporary(errNotYet, time.Minute)), Handler{ID: "b", On: progress.Update})
		o.set(int64(2), x...)
		o.round(t.Context())
		if len(o.called()) != 3 {
			t.Error(o.calls)
		}
		o.set(int64(3), x...)
		o.settle()
		want := []string{
			`update a#0 {"spec":{"x":2}}->{"spec":{"x":3}}`, `update fx#0 2->3`,
			`update b#1 {"spec":{"x":1}}->{"spec":{"x":3}}`,
		}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
			t.Error(d)
		}
	})
}

// The same across a restart: what the handler had finished for is then known by its digest only.
func TestAChangeDuringARetryAndARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		o.with(fine, Handler{ID: "a", On: progress.Update}, Handler{ID: "found", On: progress.Resume})
		o.settle()
		o.called()
		o.with(failing(kopf.Temporary(errNotYet, time.Minute)), Handler{ID: "b", On: progress.Update})
		o.set(int64(2), x...)
		o.round(t.Context())
		o.restart()
		o.called()
		o.round(t.Context())
		if d := cmp.Diff([]string{`update found#0 {"spec":{"x":1}}->{"spec":{"x":2}}`}, o.called()); d != "" {
			t.Error(d)
		}
		o.restart()
		o.set(int64(3), x...)
		o.settle()
		want := []string{`update a#0 ->{"spec":{"x":3}}`, `update b#1 {"spec":{"x":1}}->{"spec":{"x":3}}`}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
	})
}

func TestAChangeIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		o.with(fine, Handler{ID: "a", On: progress.Update})
		o.with(failing(kopf.Temporary(errNotYet, time.Minute)), Handler{ID: "b", On: progress.Update})
		o.settle()
		stop := 0
		o.newer = func() bool { stop++; return true } // the turn ends after one handler
		o.set(int64(2), x...)
		o.round(t.Context())
		if len(o.called()) != 1 || stop == 0 || o.record("b") == nil || !o.last.Next.Equal(time.Now()) {
			t.Fatalf("records %+v, next %v", o.last.Records, o.last.Next)
		}
		// A has handled the change, and is told that it is gone; b was not called and need not know.
		o.newer = func() bool { return false }
		o.set(int64(1), x...)
		o.settle()
		if d := cmp.Diff([]string{`update a#0 {"spec":{"x":2}}->{"spec":{"x":1}}`}, o.called()); d != "" {
			t.Error(d)
		}
		// When b was called, it goes on, for what it may have done already.
		o.set(int64(2), x...)
		o.round(t.Context())
		o.set(int64(1), x...)
		o.called()
		o.settle()
		want := []string{`update a#0 {"spec":{"x":2}}->{"spec":{"x":1}}`, `update b#1 {"spec":{"x":1}}->{"spec":{"x":1}}`}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
			t.Error(d)
		}
	})
}

// The object changes between two handlers of its creation, so that none of them knows all of it.
func TestMixedCreation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1,"y":1}}`)
		o.initial = true
		o.with(fine, Handler{ID: "a", On: progress.Create})
		o.with(failing(kopf.Temporary(errNotYet, time.Minute)), Handler{ID: "b", On: progress.Create})
		o.with(fine,
			Handler{ID: "u", On: progress.Update},
			Handler{ID: "ux", On: progress.Update, Field: x},
			Handler{ID: "uy", On: progress.Update, Field: []string{"spec", "y"}},
			Handler{ID: "found", On: progress.Resume})
		o.round(t.Context())
		o.set(int64(2), x...)
		time.Sleep(time.Minute)
		o.called()
		o.round(t.Context())
		if d := cmp.Diff([]string{`create b#1 ->{"spec":{"x":2,"y":1}}`}, o.called()); d != "" {
			t.Error(d)
		}
		if !o.last.Handled || !o.last.Next.Equal(time.Now()) {
			t.Errorf("%+v", o.last)
		}
		if d := cmp.Diff([]string{"last-handled-configuration", "u", "ux"}, o.annotations()); d != "" {
			t.Error(d)
		}
		if r := o.record("ux"); r.Seen != record.NoSingleState || r.Purpose != kopf.ReasonUpdate || r.Finished() {
			t.Errorf("record %+v", r)
		}
		// Even if the change is taken back now, it is told, since b was told of it.
		o.set(int64(1), x...)
		o.settle()
		want := []string{`update u#0 {"spec":{"x":1,"y":1}}->{"spec":{"x":1,"y":1}}`, `update ux#0 1->1`}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
			t.Error(d)
		}
	})
}

// A step that was begun gets to its end, whatever the filters say in between.
func TestStickySelection(t *testing.T) {
	for name, h := range map[string]Handler{
		"new":   {Field: x, New: equals(int64(2))},
		"value": {Field: x, Value: equals(int64(2))},
		"label": {Field: x, Labels: selector(t, "!off")},
		"when":  {Field: x, When: func(a *Attempt) (bool, error) { return a.Labels["off"] == "", nil }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newObject(t, `{"spec":{"x":1}}`)
				o.with(fine, Handler{ID: "made", On: progress.Create}, Handler{ID: "other", On: progress.Update, Labels: selector(t, "off")})
				h.ID, h.On = "step", progress.Update
				o.with(failing(kopf.Temporary(errNotYet, time.Minute)), h)
				o.settle()
				o.set(int64(2), x...)
				o.round(t.Context())
				o.called()
				o.set(int64(3), x...)
				o.set("yes", "metadata", "labels", "off")
				o.settle()
				calls := o.called()
				if len(calls) != 2 || calls[1] != `update step#1 1->3` {
					t.Errorf("calls %v", calls)
				}
			})
		})
	}
}

func TestRetriesAndTimeouts(t *testing.T) {
	for name, c := range map[string]struct {
		policy   kopf.Policy
		err      error
		attempts int
		took     time.Duration
		success  bool
	}{
		"retries":         {kopf.Policy{Retries: 3, Backoff: kopf.Backoff{From: time.Second}}, errNotYet, 3, 2 * time.Second, false},
		"timeout":         {kopf.Policy{Timeout: 10 * time.Second, Backoff: kopf.Backoff{From: 4 * time.Second}}, errNotYet, 3, 8 * time.Second, false},
		"exponential":     {kopf.Policy{Retries: 5, Backoff: kopf.Backoff{From: time.Second, To: 4 * time.Second}}, errNotYet, 5, 11 * time.Second, false},
		"default":         {kopf.Policy{Retries: 2}, errNotYet, 2, time.Minute, false},
		"at once":         {kopf.Policy{Retries: 2}, kopf.Temporary(errNotYet, 0), 2, 0, false},
		"wait":            {kopf.Policy{Retries: 1, Timeout: 10 * time.Second}, kopf.Wait(3 * time.Second), 4, 9 * time.Second, false},
		"ignored":         {kopf.Policy{Errors: kopf.ErrorsIgnored}, errNotYet, 1, 0, true},
		"permanent":       {kopf.Policy{Errors: kopf.ErrorsPermanent}, errNotYet, 1, 0, false},
		"without message": {kopf.Policy{Retries: 2}, kopf.Temporary(errors.New(""), time.Second), 2, time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newObject(t, `{}`)
				var retries []int
				o.with(func(_ context.Context, a *Attempt) (any, error) {
					retries = append(retries, a.Retry)
					return "lost", c.err
				}, Handler{ID: "h", On: progress.Create, Policy: c.policy})
				start := time.Now()
				o.settle()
				took := time.Since(start)
				if len(o.calls) != c.attempts || took > c.took || took < c.took*9/10 {
					t.Errorf("%d attempts in %v", len(o.calls), took)
				}
				want := "creation is processed: 0 succeeded; 1 failed"
				if c.success {
					want = "creation is processed: 1 succeeded; 0 failed"
				}
				if !strings.Contains(o.log.String(), want) {
					t.Error(o.log.String())
				}
				if o.state["status"] != nil {
					t.Errorf("a failure has a result: %v", o.state["status"])
				}
				if name == "wait" && (retries[3] != 0 || strings.Count(o.log.String(), "ERROR") != 1) {
					t.Errorf("waiting counts as failing: %v\n%s", retries, o.log.String())
				}
			})
		})
	}
}

// Limits hold before an attempt, too: another process may have used them up. But the time runs from the first attempt, which a handler that
// was only selected has not had.
func TestLimitsAreUsedUpBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		o.set(`{"started":"1999-12-31T23:00:00+00:00","purpose":"create","retries":3,"success":false,"failure":false}`, "metadata", "annotations", "kopf.zalando.org/h")
		o.set(`{"started":"1999-12-31T23:00:00+00:00","purpose":"create","retries":0,"success":false,"failure":false,"message":"None"}`, "metadata", "annotations", "kopf.zalando.org/g")
		o.set(`{"started":"1999-12-31T23:00:00+00:00","purpose":"create","retries":0,"success":false,"failure":false}`, "metadata", "annotations", "kopf.zalando.org/f")
		o.with(fine, Handler{ID: "h", On: progress.Create, Policy: kopf.Policy{Retries: 3}}, Handler{ID: "g", On: progress.Create, Policy: kopf.Policy{Timeout: time.Hour}},
			Handler{ID: "f", On: progress.Create, Policy: kopf.Policy{Timeout: time.Hour}})
		o.settle()
		if d := cmp.Diff([]string{"create f#0 ->{}"}, o.calls); d != "" || !strings.Contains(o.log.String(), "1 succeeded; 2 failed") {
			t.Errorf("%s\n%s", d, o.log.String())
		}
	})
}

func TestResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		o.restart()
		o.with(fine, Handler{ID: "found", On: progress.Resume}, Handler{ID: "both", On: progress.Create | progress.Resume}, Handler{ID: "u", On: progress.Update})
		o.settle()
		o.set(int64(2), x...)
		o.settle()
		// Resuming is not mixed into the creation, nor does it follow later.
		want := []string{`create both#0 ->{"spec":{"x":1}}`, `update u#0 {"spec":{"x":1}}->{"spec":{"x":2}}`}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
		o.restart()
		o.settle()
		o.set(int64(3), x...)
		o.settle()
		o.restart()
		o.set(int64(4), x...)
		o.settle()
		want = []string{
			`resume found#0 {"spec":{"x":2}}->{"spec":{"x":2}}`, `resume both#0 {"spec":{"x":2}}->{"spec":{"x":2}}`,
			`update u#0 {"spec":{"x":2}}->{"spec":{"x":3}}`,
			`update found#0 {"spec":{"x":3}}->{"spec":{"x":4}}`, `update both#0 {"spec":{"x":3}}->{"spec":{"x":4}}`, `update u#0 {"spec":{"x":3}}->{"spec":{"x":4}}`,
		}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
	})
}

// A resuming that becomes an update goes on with its records.
func TestAnUpdateSupersedesAResuming(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		o.with(fine, Handler{ID: "done", On: progress.Resume}, Handler{ID: "u", On: progress.Update})
		o.settle()
		o.restart()
		o.with(failing(kopf.Temporary(errNotYet, time.Minute)), Handler{ID: "slow", On: progress.Resume})
		o.round(t.Context())
		o.called()
		o.set(int64(2), x...)
		o.settle()
		want := []string{`update u#0 {"spec":{"x":1}}->{"spec":{"x":2}}`, `update slow#1 {"spec":{"x":1}}->{"spec":{"x":2}}`}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
		if !strings.Contains(o.log.String(), "resuming is superseded by updating") {
			t.Error(o.log.String())
		}
	})
}

// Several markers of one function are one handler: the first that is concerned counts.
func TestMarkersOfOneFunction(t *testing.T) {
	o := newObject(t, `{"spec":{"x":1}}`)
	o.with(fine,
		Handler{ID: "f", On: progress.Create, Labels: selector(t, "special")},
		Handler{ID: "f", On: progress.Create | progress.Update},
		Handler{ID: "f", On: progress.Create | progress.Resume})
	o.round(t.Context())
	if len(o.called()) != 1 || !strings.Contains(o.log.String(), "1 succeeded; 0 failed") {
		t.Errorf("calls %v\n%s", o.calls, o.log.String())
	}
	o.restart()
	o.round(t.Context())
	if calls := o.called(); len(calls) != 1 || !strings.HasPrefix(calls[0], "resume f") {
		t.Errorf("calls %v", calls)
	}
}

func TestOutcomes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		patch := new(kopf.Patch)
		patch.Set("blue", "metadata", "labels", "color")
		copied := edit.Edit{Before: []byte(`{"spec":{"x":1}}`), After: []byte(`{"spec":{"x":2}}`)}
		run := func(out Outcome) Func { return func(context.Context, *Attempt) Outcome { return out } }
		o.resource.Handlers = []Handler{
			{ID: "a/spec.x", On: progress.Create, Result: "a/spec.x", Run: run(Outcome{Result: kopf.Raw(`{"n":1}`), Edits: []edit.Edit{copied}})},
			{ID: "named", On: progress.Create, Result: "phase", Run: run(Outcome{Result: kopf.Raw(`"ready"`), Patch: patch})},
			{ID: "dropped", On: progress.Create, Run: run(Outcome{Result: kopf.Raw(`1`), Patch: new(kopf.Patch)})},
			{ID: "status", On: progress.Create, Run: run(Outcome{Status: map[string]any{"ready": true}})},
			{ID: "failed", On: progress.Create, Result: "failed", Run: run(Outcome{Result: kopf.Raw(`1`), Edits: []edit.Edit{copied}, Err: kopf.Permanent(errNotYet)})},
			{ID: "panicked", On: progress.Create, Result: "panicked", Policy: kopf.Policy{Errors: kopf.ErrorsPermanent}, Run: func(context.Context, *Attempt) Outcome { panic("oops") }},
		}
		o.round(t.Context())
		if d := cmp.Diff([]string{"a/spec.x", "phase"}, ids(o.last.Asks.Results)); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(map[string]any{"ready": true}, o.last.Asks.Status); d != "" {
			t.Error(d)
		}
		if len(o.last.Asks.Changes) != 2 || len(o.last.Asks.Patches) != 1 {
			t.Errorf("changes %v, patches %v", o.last.Asks.Changes, o.last.Asks.Patches)
		}
		if !strings.Contains(o.log.String(), "4 succeeded; 2 failed") || !strings.Contains(o.log.String(), "scenario_test.go") {
			t.Errorf("the log has no stack of the panic:\n%s", o.log.String())
		}
	})
}

// What cannot be written fails the handler that asked for it, for good, and nobody else.
func TestWhatCannotBeWrittenFailsTheHandler(t *testing.T) {
	edited := func(before, after string) []edit.Edit {
		return []edit.Edit{{Before: []byte(before), After: []byte(after)}}
	}
	unencodable := new(kopf.Patch)
	unencodable.Set(make(chan int), "spec", "x")
	fair := new(kopf.Patch)
	fair.Set("blue", "metadata", "labels", "color")
	for name, bad := range map[string]Outcome{
		"metadata":           {Edits: edited(`{"metadata":{"generation":1}}`, `{"metadata":{"generation":2}}`)},
		"own annotations":    {Edits: edited(`{"metadata":{}}`, `{"metadata":{"annotations":{"op.example.com/a":"{}"}}}`)},
		"no object":          {Edits: edited(`{}`, `[]`)},
		"a patch":            {Patch: unencodable},
		"one of two":         {Edits: append(edited(`{"spec":{"x":1}}`, `{"spec":{"x":2}}`), edited(`{"kind":"A"}`, `{"kind":"B"}`)...), Patch: fair},
		"after an error too": {Edits: edited(`{"kind":"A"}`, `{"kind":"B"}`), Err: kopf.Temporary(errNotYet, time.Minute)},
	} {
		t.Run(name, func(t *testing.T) {
			o := newObject(t, `{"spec":{"x":1}}`)
			o.resource.Prefix = "op.example.com"
			bad.Result = kopf.Raw(`1`)
			o.resource.Handlers = []Handler{
				{ID: "bad", On: progress.Create, Result: "bad", Run: func(context.Context, *Attempt) Outcome { return bad }},
				{ID: "good", On: progress.Create, Run: func(context.Context, *Attempt) Outcome { return Outcome{Patch: fair} }},
			}
			o.round(t.Context())
			if !o.last.Handled || len(o.last.Asks.Changes) != 0 || len(o.last.Asks.Patches) != 1 || len(o.last.Asks.Results) != 0 {
				t.Errorf("%+v", o.last)
			}
			if log := o.log.String(); !strings.Contains(log, "1 succeeded; 1 failed") || bad.Err != nil && !strings.Contains(log, errNotYet.Error()) {
				t.Error(log)
			}
		})
	}
}

// Lists keep what the copy does not know of their elements, wherever these move, by the keys of the resource.
func TestEditsKnowTheKeysOfLists(t *testing.T) {
	o := newObject(t, `{"spec":{"ports":[{"name":"a","x":1},{"name":"b","x":2}]}}`)
	o.resource.ListMapKeys = map[string][]string{"spec.ports": {"name"}}
	o.resource.Handlers = []Handler{{ID: "swap", On: progress.Create, Run: func(context.Context, *Attempt) Outcome {
		return Outcome{Edits: []edit.Edit{{
			Before: []byte(`{"spec":{"ports":[{"name":"a"},{"name":"b"}]}}`),
			After:  []byte(`{"spec":{"ports":[{"name":"b","on":true},{"name":"a"}]}}`),
		}}}
	}}}
	o.round(t.Context())
	want := []any{map[string]any{"name": "b", "on": true, "x": int64(2)}, map[string]any{"name": "a", "x": int64(1)}}
	if got, _ := tree.Get(o.state, "spec", "ports"); !tree.Equal(got, want) {
		t.Errorf("ports %v", got)
	}
}

// A handler whose own changes need handling brings an update about, as in Kopf.
func TestAnEditIsAChange(t *testing.T) {
	o := newObject(t, `{"spec":{"x":1}}`)
	o.with(fine, Handler{ID: "u", On: progress.Update})
	o.resource.Handlers = append(o.resource.Handlers, Handler{ID: "c", On: progress.Create, Run: func(context.Context, *Attempt) Outcome {
		return Outcome{Edits: []edit.Edit{{Before: []byte(`{"spec":{"x":1}}`), After: []byte(`{"spec":{"x":2}}`)}}}
	}})
	o.round(t.Context())
	o.round(t.Context())
	if d := cmp.Diff([]string{`update u#0 {"spec":{"x":1}}->{"spec":{"x":2}}`}, o.called()); d != "" {
		t.Error(d)
	}
}

// Nothing is written only because time has passed.
func TestSleepingWritesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{}`)
		o.with(failing(kopf.Temporary(errNotYet, time.Hour)), Handler{ID: "h", On: progress.Create})
		o.round(t.Context())
		for range 3 {
			time.Sleep(time.Minute)
			if o.round(t.Context()) || o.last.Next.Before(time.Now().Add(50*time.Minute)) || o.last.Handled {
				t.Errorf("%+v", o.last)
			}
		}
	})
}

func TestATurnEndsBetweenHandlers(t *testing.T) {
	o := newObject(t, `{"spec":{"x":1}}`)
	for i := range 3 {
		o.with(fine, Handler{ID: fmt.Sprint("h", i), On: progress.Create})
	}
	o.newer = func() bool { return true }
	for i := range 3 {
		o.round(t.Context())
		if calls := o.called(); len(calls) != 1 || !strings.Contains(calls[0], fmt.Sprintf("h%d#0", i)) {
			t.Errorf("round %d: calls %v", i, calls)
		}
		if o.last.Handled != (i == 2) {
			t.Errorf("round %d: %+v", i, o.last)
		}
	}
}

// When the time to finish is over, a handler that gives in has not failed: it is called again, even if its change is gone by then.
func TestInterruption(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		o.with(func(ctx context.Context, a *Attempt) (any, error) {
			<-ctx.Done()
			return nil, fmt.Errorf("downloading: %w", ctx.Err())
		}, Handler{ID: "a", On: progress.Create | progress.Update, Policy: kopf.Policy{Retries: 1}})
		o.with(fine, Handler{ID: "b", On: progress.Create})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		ctx, stop := context.WithCancelCause(ctx)
		time.AfterFunc(time.Second, func() { stop(errors.New("stopping")) })
		o.round(ctx)
		if r := o.record("a"); len(o.called()) != 1 || r == nil || r.Retries != 0 || r.Finished() || r.Message == nil {
			t.Errorf("record %+v", r)
		}
		o.round(ctx)
		if len(o.called()) != 0 {
			t.Error("a handler is called although the operator has stopped")
		}
		o.resource.Handlers[0].Run = o.noted(fine)
		o.restart()
		o.settle()
		if d := cmp.Diff([]string{`create a#0 ->{"spec":{"x":1}}`, `create b#0 ->{"spec":{"x":1}}`}, o.called()); d != "" {
			t.Error(d)
		}
	})
}

func TestAttempt(t *testing.T) {
	o := newObject(t, `{"spec":{"x":1},"metadata":{"labels":{"l":"1"},"annotations":{"a":"2"}}}`)
	o.with(func(_ context.Context, a *Attempt) (any, error) {
		if a.Name != "obj" || a.Namespace != "ns" || a.UID != "uid-1" || a.Labels["l"] != "1" || a.Annotations["a"] != "2" {
			t.Errorf("%+v", a)
		}
		if len(a.Diff) != 1 || a.Diff[0].String() != "+ : 1" || len(a.Object) == 0 || a.Started.IsZero() || a.Memos == nil || a.Logger == nil {
			t.Errorf("%+v", a)
		}
		return nil, nil
	}, Handler{ID: "h/spec.x", On: progress.Create, Field: x})
	o.round(t.Context())
	if len(o.calls) != 1 {
		t.Error("it was not called")
	}
}

func TestFree(t *testing.T) {
	o := newObject(t, `{}`)
	o.with(fine, Handler{ID: "d", On: progress.Delete}, Handler{ID: "c", On: progress.Create})
	o.remove()
	if o.round(t.Context()) || len(o.calls) > 0 || o.last.Cause.Kind != cause.Free {
		t.Errorf("calls %v, %+v", o.calls, o.last)
	}
}
