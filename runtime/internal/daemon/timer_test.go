package daemon

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// When a timer runs in its first ten seconds, by its schedule, for a call that takes as long as it says (B105, B106, B111).
func TestTimerSchedules(t *testing.T) {
	sec := time.Second
	for name, tt := range map[string]struct {
		timer   Timer
		delay   time.Duration
		takes   time.Duration
		changes []time.Duration
		fails   map[int]error
		want    []time.Duration
	}{
		"once":                 {want: []time.Duration{0}},
		"interval":             {timer: Timer{Interval: 3 * sec}, takes: sec, want: []time.Duration{0, 4 * sec, 8 * sec}},
		"sharp":                {timer: Timer{Interval: 3 * sec, Sharp: true}, takes: sec, want: []time.Duration{0, 3 * sec, 6 * sec, 9 * sec}},
		"sharp and overrun":    {timer: Timer{Interval: 2 * sec, Sharp: true}, takes: 3 * sec, want: []time.Duration{0, 4 * sec, 8 * sec}},
		"initial delay":        {timer: Timer{Interval: 5 * sec}, delay: 2 * sec, want: []time.Duration{2 * sec, 7 * sec}},
		"idle alone":           {timer: Timer{Idle: 2 * sec}, changes: []time.Duration{5 * sec}, want: []time.Duration{2 * sec, 7 * sec}},
		"idle is prolonged":    {timer: Timer{Idle: 3 * sec}, changes: []time.Duration{2 * sec, 4 * sec}, want: []time.Duration{7 * sec}},
		"idle and interval":    {timer: Timer{Idle: 2 * sec, Interval: 3 * sec}, changes: []time.Duration{4 * sec}, want: []time.Duration{2 * sec, 6 * sec, 9 * sec}},
		"temporary error":      {timer: Timer{Interval: 6 * sec}, fails: map[int]error{0: kopf.Temporary(errors.New("x"), sec)}, want: []time.Duration{0, sec, 7 * sec}},
		"permanent error":      {timer: Timer{Interval: sec}, fails: map[int]error{1: kopf.Permanent(errors.New("x"))}, want: []time.Duration{0, sec}},
		"change while it runs": {timer: Timer{Idle: 2 * sec}, takes: 2 * sec, changes: []time.Duration{3 * sec}, want: []time.Duration{2 * sec, 5 * sec}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				var at []time.Duration
				h := handler(func(context.Context, *handling.Attempt) handling.Outcome {
					n := len(at)
					at = append(at, time.Since(began))
					time.Sleep(tt.takes)
					return handling.Outcome{Err: tt.fails[n]}
				})
				h.Timer, h.InitialDelay.Fixed = &tt.timer, tt.delay
				s := start(t, h)
				for _, change := range tt.changes {
					time.Sleep(change - time.Since(began))
					s.changed()
				}
				time.Sleep(10*sec - time.Since(began) - 1)
				s.set.Stop(kopf.StopOperatorExiting)
				if err := s.Wait(t.Context()); err != nil {
					t.Error(err)
				}
				if !slices.Equal(at, tt.want) {
					t.Errorf("ran at %v, want %v", at, tt.want)
				}
			})
		})
	}
}

// No object waits for a timer, not even for one that is running or, unlike in Kopf, waits for a change.
func TestTimerHoldsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler(func(ctx context.Context, _ *handling.Attempt) handling.Outcome {
			<-ctx.Done()
			return handling.Outcome{Err: ctx.Err()}
		})
		h.Timer = &Timer{Interval: time.Minute}
		idle := handler(func(context.Context, *handling.Attempt) handling.Outcome { return handling.Outcome{} })
		idle.Timer = &Timer{Idle: time.Second}
		s := start(t, h, idle)
		time.Sleep(time.Minute)
		s.matching.Deleting = true
		if s.match() {
			t.Error("the object waits for a timer")
		}
		synctest.Wait()
		if _, timers := s.Running(); timers != 0 {
			t.Errorf("%d timers go on", timers)
		}
	})
}

// What could not be written comes before the next run, and does not end the timer.
func TestTimerOutlivesFailedPatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		h := handler(func(context.Context, *handling.Attempt) handling.Outcome {
			runs++
			return handling.Outcome{Result: []byte("1")}
		})
		h.Timer, h.InitialDelay.Fixed = &Timer{Interval: 10 * time.Second}, time.Second
		s := start(t, h)
		s.mu().Lock()
		s.down = 3
		s.mu().Unlock()
		time.Sleep(20 * time.Second)
		s.set.Stop(kopf.StopOperatorExiting)
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if runs != 2 || len(s.writes) != 2 {
			t.Errorf("%d runs, %d writes", runs, len(s.writes))
		}
	})
}

// Timers that wait have no goroutines.
func TestWaitingTimersHaveNoGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const objects = 10_000
		runs := 0
		h := handler(func(context.Context, *handling.Attempt) handling.Outcome {
			runs++
			return handling.Outcome{}
		})
		h.Timer = &Timer{Interval: time.Hour}
		g := NewGroup(Config{Handlers: []Handler{h}, Context: t.Context(), Calls: new(inline)})
		before := runtime.NumGoroutine()
		o := &object{state: 1}
		var sets []*Set
		for n := range objects {
			set := g.Set(skim.Key{byte(n), byte(n >> 8)}, o, 1, time.Now())
			set.Match(Matching{For: []bool{true}})
			sets = append(sets, set)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if _, timers := g.Running(); timers != objects || runs != objects {
			t.Errorf("%d timers, %d runs", timers, runs)
		}
		if more := runtime.NumGoroutine() - before; more > 10 {
			t.Errorf("%d goroutines for timers that wait", more)
		}
		for _, set := range sets {
			set.Stop(kopf.StopOperatorExiting)
		}
		if err := g.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
