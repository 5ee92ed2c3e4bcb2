package handling

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
)

func TestFinalizer(t *testing.T) {
	mandatory := Handler{ID: "d", On: progress.Delete, Labels: selector(t, "ours")}
	optional := mandatory
	optional.Optional = true
	changing := Handler{ID: "u", On: progress.Update}
	for name, c := range map[string]struct {
		handler                 Handler
		ours, blocked, deleting bool
		add, remove, called     bool
	}{
		"needed":                              {mandatory, true, false, false, true, false, false},
		"there":                               {mandatory, true, true, false, false, false, false},
		"not for this object":                 {mandatory, false, false, false, false, false, false},
		"no longer for this object":           {mandatory, false, true, false, false, true, false},
		"no longer for this object, deleting": {mandatory, false, true, true, false, true, false},
		"optional":                            {optional, true, false, false, false, false, false},
		"optional alone does not keep it":     {optional, true, true, false, false, true, false},
		"handlers are gone from the code":     {changing, true, true, false, false, true, false},
		"too late":                            {mandatory, true, false, true, false, false, false},
		"deletion":                            {mandatory, true, true, true, false, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := newObject(t, `{"spec":{}}`)
			if c.ours {
				o.set("", "metadata", "labels", "ours")
			}
			if c.blocked {
				o.set([]any{"foreign", finalizer}, "metadata", "finalizers")
			}
			if c.deleting {
				o.remove()
			}
			o.with(fine, c.handler)
			o.round(t.Context())
			if o.last.AddFinalizer != c.add || o.last.RemoveFinalizer != c.remove || len(o.calls) > 0 != c.called {
				t.Errorf("%+v, calls %v", o.last, o.calls)
			}
			if !c.called && (c.add || c.remove) && (len(o.writes) > 0 || o.last.Handled) {
				t.Errorf("a round that is about the finalizer wrote %v, %+v", o.writes, o.last)
			}
			if again := !o.last.Next.IsZero(); again != (!c.deleting && (c.add || c.remove)) {
				t.Errorf("next %v", o.last.Next)
			}
		})
	}
}

func TestDeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1,"y":1}}`)
		o.with(failing(kopf.Temporary(errors.New("not yet"), time.Minute)), Handler{ID: "first", On: progress.Delete, Labels: selector(t, "!kept")})
		o.with(fine,
			Handler{ID: "second", On: progress.Delete, Optional: true},
			Handler{ID: "x", On: progress.Field, Field: []string{"spec", "x"}},
			Handler{ID: "y", On: progress.Field, Field: []string{"spec", "y"}},
			Handler{ID: "found", On: progress.Resume},
			Handler{ID: "foundDeleted", On: progress.Resume, Deleted: true})
		o.settle()
		o.called()

		o.restart()
		o.set(int64(2), "spec", "x")
		o.remove()
		o.round(t.Context())
		want := []string{
			`delete first#0 {"spec":{"x":1,"y":1}}->{"spec":{"x":2,"y":1}}`, `delete second#0 {"spec":{"x":1,"y":1}}->{"spec":{"x":2,"y":1}}`,
			`delete x#0 1->2`, `delete foundDeleted#0 {"spec":{"x":1,"y":1}}->{"spec":{"x":2,"y":1}}`,
		}
		if d := cmp.Diff(want, o.called()); d != "" {
			t.Error(d)
		}
		if o.last.RemoveFinalizer {
			t.Error("released before all was done")
		}
		// What has begun is waited for, even if the filter would let the object go now.
		o.set("yes", "metadata", "labels", "kept")
		o.settle()
		calls := o.called()
		if len(calls) != 1 || !strings.HasPrefix(calls[0], "delete first#1") {
			t.Errorf("calls %v", calls)
		}
		if o.state["metadata"].(map[string]any)["finalizers"] != nil {
			t.Error("the object is not released")
		}
	})
}

func TestGivingUpReleasesTheObject(t *testing.T) {
	o := newObject(t, `{}`)
	o.with(failing(kopf.Permanent(errors.New("no"))), Handler{ID: "d", On: progress.Delete})
	o.round(t.Context())
	o.remove()
	o.round(t.Context())
	if !o.last.RemoveFinalizer || !o.last.Handled {
		t.Errorf("%+v", o.last)
	}
}

// In Kopf, a function for creation and deletion with one id is not called for the deletion if the creation was not completed.
func TestACreationDoesNotCountForTheDeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{}}`)
		o.with(fine, Handler{ID: "both", On: progress.Create | progress.Delete})
		o.with(failing(kopf.Temporary(errors.New("not yet"), time.Hour)), Handler{ID: "slow", On: progress.Create})
		o.round(t.Context())
		o.round(t.Context())
		if r := o.record("both"); r == nil || !r.Success || r.Purpose != kopf.ReasonCreate {
			t.Fatalf("record %+v", r)
		}
		o.called()
		o.remove()
		o.settle()
		if d := cmp.Diff([]string{`delete both#0 ->{"spec":{}}`}, o.called()); d != "" {
			t.Error(d)
		}
		if !strings.Contains(o.log.String(), "creation is superseded by deletion") {
			t.Error(o.log.String())
		}
	})
}

// The records of an object go with it. Were they removed before, a crash between that and the release would have delete handlers called
// again that are known to have succeeded.
func TestRecordsOfADeletion(t *testing.T) {
	for _, finalizers := range [][]any{{finalizer}, {"foreign", finalizer}} {
		synctest.Test(t, func(t *testing.T) {
			o := newObject(t, `{}`)
			o.set(finalizers, "metadata", "finalizers")
			o.remove()
			o.with(fine, Handler{ID: "done", On: progress.Delete})
			o.with(failing(kopf.Temporary(errors.New("not yet"), time.Second)), Handler{ID: "late", On: progress.Delete})
			o.round(t.Context())
			time.Sleep(time.Second)
			o.round(t.Context())
			if !o.last.RemoveFinalizer {
				t.Fatalf("%+v", o.last)
			}
			if d := cmp.Diff([]string{"done", "late"}, o.annotations()); d != "" {
				t.Errorf("%v: %s", finalizers, d)
			}
		})
	}
}
