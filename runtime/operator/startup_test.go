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
)

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

// Cleanup handlers that never succeed do not keep the process for ever: for two attempts here, since the third would come too late.
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
		if err := s.end(); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errRefused) || time.Since(began) != 50*time.Second {
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
