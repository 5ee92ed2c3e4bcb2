package handling

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// times and digests of records differ from run to run.
var (
	times   = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"`)
	digests = regexp.MustCompile(`,"(seen|whole)":"[^"]*"`)
)

// shape returns a record as Kopf would have written it, less the times.
func shape(text string) string {
	return digests.ReplaceAllString(times.ReplaceAllString(text, "T"), "")
}

// The handlers of a recorded run of Kopf, over one creation, update and deletion.
func scenario(o *object) {
	kopfs := func(id string, on progress.Kind, field []string, work func(context.Context, *Attempt) (any, error)) {
		o.with(work, Handler{ID: id, On: on, Field: field})
	}
	kopfs("create_fn", progress.Create, nil, func(_ context.Context, a *Attempt) (any, error) {
		if a.Retry == 0 {
			return nil, kopf.Temporary(errors.New("Not ready yet."), 2*time.Second)
		}
		return map[string]string{"message": "hello world"}, nil
	})
	kopfs("create_perm", progress.Create, nil, failing(kopf.Permanent(errors.New("Bad spec."))))
	second := failing(kopf.Temporary(errors.New("sub not ready"), time.Second))
	kopfs("create_items/spec.items", progress.Create, []string{"spec", "items"}, func(ctx context.Context, a *Attempt) (any, error) {
		return nil, kopf.Execute(ctx,
			kopf.Sub{ID: "item1", Run: func(context.Context) (any, error) { return "item1", nil }},
			kopf.Sub{ID: "item2", Run: func(context.Context) (any, error) {
				if _, err := second(ctx, a); err != nil {
					return nil, err
				}
				return "item2", nil
			}},
		)
	})
	kopfs("update_fn", progress.Update, nil, fine)
	kopfs("field_fn/spec.field", progress.Field, []string{"spec", "field"}, fine)
	kopfs("delete_fn", progress.Delete, nil, func(context.Context, *Attempt) (any, error) { return "bye", nil })
	kopfs("resume_fn", progress.Resume, nil, fine)
}

func TestKopfsScenario(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"field":"value","items":["item1","item2"]},"metadata":{"labels":{"somelabel":"somevalue"}}}`)
		scenario(o)

		// The finalizer comes first, alone.
		o.round(t.Context())
		if !o.last.AddFinalizer || len(o.calls) > 0 || len(o.writes) > 0 {
			t.Fatalf("round 1: %+v, calls %v", o.last, o.calls)
		}

		// Everything that is due runs in one round, where Kopf takes six.
		start := time.Now()
		o.round(t.Context())
		want := []string{
			`create create_fn#0 ->{"metadata":{"labels":{"somelabel":"somevalue"}},"spec":{"field":"value","items":["item1","item2"]}}`,
			`create create_perm#0 ->{"metadata":{"labels":{"somelabel":"somevalue"}},"spec":{"field":"value","items":["item1","item2"]}}`,
			`create create_items/spec.items#0 ->["item1","item2"]`,
			`create field_fn/spec.field#0 ->"value"`,
		}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
		for key, want := range map[string]string{
			"create_fn":                     `{"started":T,"delayed":T,"purpose":"create","retries":1,"success":false,"failure":false,"message":"Not ready yet."}`,
			"create_perm":                   `{"started":T,"stopped":T,"purpose":"create","retries":1,"success":false,"failure":true,"message":"Bad spec."}`,
			"create_items.spec.items":       `{"started":T,"delayed":T,"purpose":"create","retries":0,"success":false,"failure":false,"message":"None","subrefs":["create_items/spec.items/item1","create_items/spec.items/item2"]}`,
			"create_items.spec.items.item1": `{"started":T,"stopped":T,"purpose":"create","retries":1,"success":true,"failure":false}`,
			"create_items.spec.items.item2": `{"started":T,"delayed":T,"purpose":"create","retries":1,"success":false,"failure":false,"message":"sub not ready"}`,
			"field_fn.spec.field":           `{"started":T,"stopped":T,"purpose":"create","retries":1,"success":true,"failure":false}`,
			"last-handled-configuration":    ``,
			"touch-dummy":                   ``,
			"update_fn":                     ``,
			"resume_fn":                     ``,
		} {
			if got := shape(o.annotation(key)); got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", key, got, want)
			}
		}

		// Two more rounds do the rest, when it is due.
		o.settle()
		if d := cmp.Diff([]string{
			`create create_items/spec.items#0 ->["item1","item2"]`,
			`create create_fn#1 ->{"metadata":{"labels":{"somelabel":"somevalue"}},"spec":{"field":"value","items":["item1","item2"]}}`,
		}, o.called()); d != "" {
			t.Error(d)
		}
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("the creation took %v", took)
		}
		if len(o.writes) != 3 {
			t.Errorf("%d writes: %v", len(o.writes), o.writes)
		}
		status, _ := json.Marshal(o.state["status"])
		if want := `{"create_fn":{"message":"hello world"},"create_items/spec.items/item1":"item1","create_items/spec.items/item2":"item2"}`; string(status) != want {
			t.Errorf("status %s", status)
		}
		if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
			t.Error(d)
		}
		if !strings.Contains(o.log.String(), `creation is processed: 3 succeeded; 1 failed`) {
			t.Error(o.log.String())
		}

		// The update runs in one round and leaves no progress behind.
		o.set("changed", "spec", "field")
		o.set("v2", "metadata", "labels", "l2")
		o.settle()
		calls := o.called()
		if len(calls) != 2 || !strings.HasPrefix(calls[0], "update update_fn#0 ") || calls[1] != `update field_fn/spec.field#0 "value"->"changed"` {
			t.Errorf("calls %v", calls)
		}
		if len(o.writes) != 4 || len(tree.Object(o.writes[3], "metadata", "annotations")) != 1 {
			t.Errorf("writes %v", o.writes[3:])
		}

		// The deletion keeps the last handled state, as nothing has changed, and releases the object.
		o.remove()
		o.round(t.Context())
		if calls := o.called(); len(calls) != 1 || !strings.HasPrefix(calls[0], "delete delete_fn#0 ") || !o.last.RemoveFinalizer {
			t.Errorf("calls %v, %+v", calls, o.last)
		}
		if d := cmp.Diff(map[string]any{"status": map[string]any{"delete_fn": "bye"}}, o.writes[4]); d != "" {
			t.Error(d)
		}
		o.settle()
		if len(o.calls) > 0 || len(o.writes) != 5 {
			t.Errorf("after the release: calls %v", o.calls)
		}
	})
}

// A Python operator left these records; it has neither digests nor a purpose in the oldest.
func TestTakingOverFromKopf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		at := time.Now().Add(-time.Minute).UTC().Format("2006-01-02T15:04:05.000000-07:00")
		o.set(map[string]any{
			"kopf.zalando.org/done":    `{"started":"` + at + `","stopped":"` + at + `","purpose":"create","retries":1,"success":true,"failure":false}`,
			"kopf.zalando.org/lost":    `{"started":"` + at + `","stopped":"` + at + `","purpose":"create","retries":1,"success":false,"failure":true,"message":"no"}`,
			"kopf.zalando.org/retried": `{"started":"` + at + `","delayed":"` + at + `","purpose":"create","retries":3,"success":false,"failure":false,"message":"m"}`,
			"kopf.zalando.org/old":     `{"started":"2020-01-01T00:00:00","retries":2}`,
			"kopf.zalando.org/undated": `{"retries":1}`,
			"kopf.zalando.org/field":   `{"started":"` + at + `","stopped":"` + at + `","purpose":"create","retries":1,"success":true,"failure":false}`,
		}, "metadata", "annotations")
		o.restart()
		o.with(fine, Handler{ID: "done", On: progress.Create}, Handler{ID: "lost", On: progress.Create})
		o.with(failing(kopf.Temporary(errors.New("again"), time.Minute)), Handler{ID: "retried", On: progress.Create, Policy: kopf.Policy{Retries: 5}})
		o.with(fine, Handler{ID: "old", On: progress.Create}, Handler{ID: "field", On: progress.Field, Field: []string{"spec", "x"}})

		o.with(func(_ context.Context, a *Attempt) (any, error) {
			if !a.Started.Equal(time.Now()) {
				t.Errorf("started %v", a.Started)
			}
			return nil, nil
		}, Handler{ID: "undated", On: progress.Create})
		o.round(t.Context())
		if d := cmp.Diff([]string{`create retried#3 ->{"spec":{"x":1}}`, `create old#2 ->{"spec":{"x":1}}`, `create undated#1 ->{"spec":{"x":1}}`}, o.called()); d != "" {
			t.Error(d)
		}
		if r := o.record("done"); r == nil || r.Seen == "" || r.Retries != 1 || !r.Success {
			t.Errorf("the success of Kopf is not bound to the state: %+v", r)
		}
		// From now on, a change is noticed.
		time.Sleep(time.Second)
		o.set(int64(2), "spec", "x")
		o.settle()
		if d := cmp.Diff([]string{`create field#0 1->2`, `create retried#4 ->{"spec":{"x":2}}`}, o.called()); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"last-handled-configuration"}, o.annotations()); d != "" {
			t.Error(d)
		}
	})
}
