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
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
)

// However a handler comes to be given up, what is called then is called once, and nobody calls it otherwise.
func TestFailedIsCalledOnce(t *testing.T) {
	for name, c := range map[string]struct {
		policy kopf.Policy
		errs   []error
		want   []string
	}{
		"success":              {},
		"success after errors": {errs: []error{errNotYet, errNotYet}},
		"permanent":            {errs: []error{kopf.Permanent(errNotYet)}, want: []string{"not yet"}},
		"permanent at last":    {errs: []error{errNotYet, kopf.Permanent(errNotYet)}, want: []string{"not yet"}},
		"retries":              {policy: kopf.Policy{Retries: 2}, errs: []error{errNotYet, errNotYet}, want: []string{"exceeded 2 retries: not yet"}},
		"timeout": {
			policy: kopf.Policy{Timeout: time.Second}, errs: []error{kopf.Temporary(errNotYet, time.Minute)},
			want: []string{"the next attempt would exceed the timeout of 1s: not yet"},
		},
		"ignored": {policy: kopf.Policy{Errors: kopf.ErrorsIgnored}, errs: []error{errNotYet}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := newObject(t, `{"spec":{"x":1}}`)
				var got []string
				o.with(failing(c.errs...), Handler{
					ID: "a", On: progress.Create, Policy: c.policy,
					Failed: func(_ context.Context, a *Attempt) Outcome {
						got = append(got, a.Failure.Error())
						return Outcome{}
					},
				})
				o.settle()
				if d := cmp.Diff(c.want, got); d != "" {
					t.Error(d)
				}
			})
		})
	}
}

// What it wants written goes into the write that records the failure.
func TestFailedIsWrittenWithTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newObject(t, `{"spec":{"x":1}}`)
		patch := &kopf.Patch{}
		patch.Set("Failed", "status", "phase")
		o.with(failing(kopf.Permanent(errNotYet)), Handler{
			ID: "a", On: progress.Create,
			Failed: func(context.Context, *Attempt) Outcome { return Outcome{Patch: patch, Result: kopf.Raw(`1`)} },
		})
		o.round(t.Context())
		if len(o.last.Asks.Patches) != 1 || o.last.Asks.Patches[0] != patch || len(o.last.Asks.Results) > 0 || !o.last.Handled {
			t.Errorf("%+v", o.last)
		}
	})
}

// An error or a panic of its own is logged, and changes nothing about the handler.
func TestFailedFails(t *testing.T) {
	for name, failed := range map[string]Func{
		"error": func(context.Context, *Attempt) Outcome { return Outcome{Err: errors.New("no luck")} },
		"panic": func(context.Context, *Attempt) Outcome { panic(fmt.Errorf("no luck")) },
	} {
		t.Run(name, func(t *testing.T) {
			o := newObject(t, `{"spec":{"x":1}}`)
			o.with(failing(kopf.Permanent(errNotYet)), Handler{ID: "a", On: progress.Create, Failed: failed})
			o.round(t.Context())
			if !o.last.Handled || strings.Count(o.log.String(), "no luck") == 0 || !strings.Contains(o.log.String(), `given up`) {
				t.Errorf("%+v\n%s", o.last, o.log.String())
			}
		})
	}
}
