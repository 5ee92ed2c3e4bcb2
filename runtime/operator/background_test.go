package operator

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// work is a background handler that notes its runs and does the next of the things to do.
func (s *stage) work(id string, b Background, todo ...func(context.Context) error) Activity {
	return Activity{ID: id, On: OnBackground, Background: b, Run: func(ctx context.Context, _ *Startup) (any, error) {
		s.note("%s", id)
		next := todo[0]
		if len(todo) > 1 {
			todo = todo[1:]
		}
		err := next(ctx)
		s.note("%s returns", id)
		return nil, err
	}}
}

func untilTheEnd(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }

func after(d time.Duration, err error) func(context.Context) error {
	return func(context.Context) error { time.Sleep(d); return err }
}

// Background work begins after startup; it lasts until the end, when the handlers of objects are done, and before the cleanup.
func TestBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.quiet = true
		d := definition(s.handler("slow", OnCreate, after(3*time.Second, nil)))
		d.Activities = []Activity{
			s.activity("open", OnStartup, kopf.Temporary(errRefused, time.Second)),
			s.work("serve", Background{}, untilTheEnd),
			s.work("once", Background{InitialDelay: 2 * time.Second}, after(0, nil)),
			s.activity("close", OnCleanup),
		}
		s.run(d)
		time.Sleep(2 * time.Second)
		s.create("ns", "a")
		time.Sleep(2 * time.Second)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s open", "1s open", "1s serve", "2s slow ns/a", "3s once", "3s once returns",
			"5s slow returns", "5s serve returns", "5s close", "5s end")
	})
}

// Periodic work runs again after its interval, sooner after an error, and is not given up for good.
func TestPeriodicWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.quiet = true
		d := definition(s.handler("made", OnCreate, nil))
		sweep := s.work("sweep", Background{Interval: time.Hour}, after(time.Second, nil), after(0, errRefused), after(0, kopf.Wait(time.Minute)),
			after(0, kopf.Permanent(errRefused)), after(0, nil))
		sweep.Background.Func = func() Background { return Background{Interval: 10 * time.Second} }
		sweep.Policy.Backoff = kopf.Backoff{From: 2 * time.Second}
		d.Activities = []Activity{sweep}
		s.run(d)
		time.Sleep(90 * time.Second)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s sweep", "1s sweep returns", "11s sweep", "11s sweep returns", "13s sweep", "13s sweep returns",
			"73s sweep", "73s sweep returns", "83s sweep", "83s sweep returns", "90s end")
	})
}

// Work that fails is begun anew, with growing delays unless it had run well for a while; when it is given up, the operator ends, since a part
// of it is missing.
func TestWorkIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.quiet = true
		d := definition(s.handler("made", OnCreate, nil))
		serve := s.work("serve", Background{}, after(0, errRefused), after(2*steady, errRefused), after(0, errRefused), after(0, errRefused))
		serve.Policy = kopf.Policy{Retries: 2, Backoff: kopf.Backoff{From: time.Second}}
		d.Activities = []Activity{serve, s.activity("close", OnCleanup)}
		s.run(d)
		<-s.stopped
		if s.result == nil || !strings.HasPrefix(s.result.Error(), `background handler "serve": exceeded 2 retries`) {
			t.Error(s.result)
		}
		s.happened("0s serve", "0s serve returns", "1s serve", "121s serve returns", "122s serve", "122s serve returns",
			"122s close", "122s end")
	})
}

// A panic is an error like any other.
func TestWorkPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.quiet = true
		d := definition(s.handler("made", OnCreate, nil))
		serve := s.work("serve", Background{}, func(context.Context) error { panic("oops") }, untilTheEnd)
		serve.Policy.Backoff = kopf.Backoff{From: kopf.AtOnce}
		d.Activities = []Activity{serve}
		s.run(d)
		time.Sleep(time.Second)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s serve", "0s serve", "1s serve returns", "1s end")
	})
}

// Work that does not end in time is left behind with an error.
func TestWorkThatDoesNotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.quiet = true
		s.options.Settings.Grace = 10 * time.Second
		block := make(chan struct{})
		defer close(block)
		d := definition(s.handler("made", OnCreate, nil))
		d.Activities = []Activity{s.work("serve", Background{}, func(context.Context) error { <-block; return nil })}
		s.run(d)
		time.Sleep(time.Second)
		if err := s.end(); err == nil || !strings.Contains(err.Error(), "did not return") {
			t.Error(err)
		}
		s.happened("0s serve", "3s end")
	})
}

// trafficLight is red during pauses.
type trafficLight struct {
	mu      sync.Mutex
	red     bool
	changed chan struct{}
}

func (l *trafficLight) Paused() (bool, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.red, l.changed
}

func (l *trafficLight) turn(red bool) {
	l.mu.Lock()
	old := l.changed
	l.red, l.changed = red, make(chan struct{})
	l.mu.Unlock()
	close(old)
	synctest.Wait()
}

// A pause ends work, and it begins anew afterwards; unless it is to run all the time.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		settings := Settings{}
		settings.fill()
		light := &trafficLight{red: true, changed: make(chan struct{})}
		b := background{
			activities: activities{settings: &settings, logger: s.options.Logger},
			pauses:     light, fatal: func(err error) { t.Error(err) },
		}
		b.start(t.Context(), []Activity{
			s.work("serve", Background{}, untilTheEnd),
			s.work("sweep", Background{Interval: time.Minute}, after(0, nil)),
			s.work("always", Background{WhilePaused: true}, untilTheEnd),
		})
		synctest.Wait()
		s.happened("0s always")
		time.Sleep(10 * time.Second)
		light.turn(false)
		s.mu.Lock()
		s.diary = nil // in no certain order
		s.mu.Unlock()
		time.Sleep(10 * time.Second)
		light.turn(true)
		s.happened("20s serve returns")
		time.Sleep(2 * time.Minute)
		s.happened()
		light.turn(false)
		light.turn(true)
		if err := b.stop(time.Second); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if got := strings.Join(s.diary, ", "); strings.Count(got, "serve,")+strings.Count(got, "sweep,") != 2 {
			t.Errorf("after the pause: %s", got)
		}
	})
}
