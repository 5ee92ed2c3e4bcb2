package daemon

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// A daemon begins once, only on an object that is held, and wakes the object at once when it has ended (B93, B99).
func TestDaemonLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := 0
		s := start(t, handler(func(ctx context.Context, a *handling.Attempt) handling.Outcome {
			begun++
			return obedient(ctx, a)
		}))
		for range 3 {
			if !s.match() {
				t.Error("the object does not wait for its daemon")
			}
		}
		synctest.Wait()
		if begun != 1 {
			t.Errorf("begun %d times", begun)
		}
		s.matching.Deleting = true
		if !s.match() {
			t.Error("the object does not wait for a daemon that is ending")
		}
		synctest.Wait()
		if s.wakes != 1 || s.match() {
			t.Errorf("%d wakes after the daemon ended, or the object still waits", s.wakes)
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// An object that is not held by the finalizer yet has to wait, but nothing runs beside it: it leaves no orphan if it goes at once.
func TestDaemonWithoutFinalizer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t)
		g := NewGroup(Config{Handlers: []Handler{handler(obedient)}, Context: t.Context(), Calls: calls{}})
		set := g.Set(skim.Key{2}, s.object, 1, time.Now())
		if !set.Match(Matching{For: []bool{true}, Begin: s.first, State: 1}) {
			t.Error("the object is not to be held")
		}
		if daemons, _ := g.Running(); daemons != 0 {
			t.Errorf("%d daemons run", daemons)
		}
		g.Forget(skim.Key{2})
		if len(g.sets) != 0 {
			t.Error("the set of an object that is gone is kept")
		}
	})
}

// A daemon that ended by itself is not started again and holds nothing (B95); one that mismatched is, once it has ended.
func TestDaemonEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := 0
		s := start(t, handler(func(context.Context, *handling.Attempt) handling.Outcome {
			begun++
			return handling.Outcome{}
		}))
		synctest.Wait()
		if s.match() {
			t.Error("the object waits for a daemon that has ended")
		}
		synctest.Wait()
		if begun != 1 {
			t.Errorf("begun %d times", begun)
		}
	})
}

// Never are there two at once, however often the filters change their mind.
func TestDaemonRespawns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running, most, begun := 0, 0, 0
		s := start(t, handler(func(ctx context.Context, a *handling.Attempt) handling.Outcome {
			begun++
			running++
			most = max(most, running)
			out := obedient(ctx, a)
			time.Sleep(time.Second)
			running--
			return out
		}))
		for range 5 {
			synctest.Wait()
			s.matching.For[0] = !s.matching.For[0]
			s.match()
		}
		time.Sleep(2 * time.Second)
		s.matching.For[0] = true
		s.match()
		synctest.Wait()
		if most != 1 || begun != 2 {
			t.Errorf("%d at once, %d begun", most, begun)
		}
		s.set.Stop(kopf.StopOperatorExiting)
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Reasons accumulate (B101): told, signalled, cancelled, abandoned, each at its time, after which the object no longer waits.
func TestDaemonIsEndedStepByStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var stopped kopf.Stopped
		var cancelled context.Context
		h := handler(func(ctx context.Context, a *handling.Attempt) handling.Outcome {
			stopped, cancelled = a.Beside.Stopped(), ctx
			<-release
			return handling.Outcome{}
		})
		h.Ending = Ending{Backoff: 3 * time.Second, Timeout: 2 * time.Second}
		s := start(t, h)
		synctest.Wait()
		s.matching.For[0] = false
		s.match()
		want := []kopf.StopReason{kopf.StopFiltersMismatch, kopf.StopDaemonSignalled}
		check := func(ended, held bool) {
			t.Helper()
			synctest.Wait()
			if got := stopped.Reasons(); !slices.Equal(got, want) {
				t.Errorf("reasons %v, want %v", got, want)
			}
			if (cancelled.Err() != nil) != ended || s.match() != held {
				t.Errorf("context ended %v, want %v; held %v", cancelled.Err(), ended, held)
			}
		}
		check(false, true)
		time.Sleep(3 * time.Second)
		want = append(want, kopf.StopDaemonCancelled)
		check(true, true)
		time.Sleep(2 * time.Second)
		want = append(want, kopf.StopDaemonAbandoned)
		check(true, false)
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		close(release)
	})
}

// A temporary error has the daemon called again after its delay (B96), and what each attempt wants is written (B103).
func TestDaemonRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var at []time.Duration
		var retries []int
		h := handler(func(_ context.Context, a *handling.Attempt) handling.Outcome {
			at, retries = append(at, time.Since(began)), append(retries, a.Retry)
			out := handling.Outcome{Result: []byte("1")}
			switch len(at) {
			case 1:
				out.Err = kopf.Temporary(errors.New("not yet"), 5*time.Second)
			case 2:
				out.Err = errors.New("oops")
			}
			return out
		})
		h.InitialDelay.Fixed = 2 * time.Second
		s := start(t, h)
		time.Sleep(time.Hour)
		synctest.Wait()
		if want := []time.Duration{2 * time.Second, 7 * time.Second, 67 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("called at %v, want %v", at, want)
		}
		if !slices.Equal(retries, []int{0, 1, 2}) || len(s.writes) != 3 {
			t.Errorf("retries %v, %d writes", retries, len(s.writes))
		}
	})
}

// What a daemon sees follows the object (B102).
func TestDaemonFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		s := start(t, handler(func(_ context.Context, a *handling.Attempt) handling.Outcome {
			newer := a.Beside.Newer()
			for {
				select {
				case <-newer:
					raw, next, err := a.Beside.Newest()
					if err != nil {
						return handling.Outcome{Err: err}
					}
					seen, newer = append(seen, string(raw)), next
				case <-a.Beside.Stopped().Done():
					return handling.Outcome{}
				}
			}
		}))
		for range 3 {
			synctest.Wait()
			s.changed()
		}
		synctest.Wait()
		if !slices.Equal(seen, []string{"2", "3", "4"}) {
			t.Errorf("saw %q", seen)
		}
		s.Forget(skim.Key{1})
		synctest.Wait()
		if len(s.sets) != 0 {
			t.Error("the set of an object that is gone is kept")
		}
	})
}
