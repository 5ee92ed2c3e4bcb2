package reactor

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/stream"
)

// perObject is the most that an object at rest may take, in bytes.
const perObject = 100

// crowd is a reactor that has many objects at rest.
func crowd(tb testing.TB, n int) *Reactor {
	rules := skim.Compile(skim.Config{Finalizer: finalizer, Prefixes: []string{prefix}})
	r := New(context.Background(), context.Background(), Config{
		Resource: widgets, Skim: rules, Logger: slog.New(slog.DiscardHandler), Turns: NewTurns(1), Kept: NewBudget(0),
		Handlers: &handling.Resource{Finalizer: finalizer, Handlers: []handling.Handler{on(progress.Update, "u", fine)}},
	})
	r.Restart()
	// Without a turn for each: this is about what stays.
	for i := range n {
		var k skim.Key
		copy(k[:], fmt.Sprintf("%016d", i))
		r.objects[k] = entry{state: uint64(i), version: uint64(i), epoch: r.epoch}
	}
	return r
}

func TestMemoryAtRest(t *testing.T) {
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	// Some numbers, since a map grows in steps.
	for _, n := range []int{100_000, 130_000, 170_000} {
		before := heap()
		r := crowd(t, n)
		used := heap() - before
		runtime.KeepAlive(r)
		each := float64(used) / float64(n)
		t.Logf("%d objects at rest take %.0f bytes each", n, each)
		if each > perObject {
			t.Errorf("%d objects at rest take %.0f bytes each, more than %d", n, each, perObject)
		}
	}
}

// unchanged returns a reactor and an event of an object at rest that changes nothing but the version.
func unchanged(tb testing.TB) (*Reactor, func() stream.Event) {
	r := crowd(tb, 1000)
	s := skim.New(r.Skim)
	frame := []byte(`{"type":"MODIFIED","object":{"apiVersion":"demo.kopf.dev/v1","kind":"Widget","metadata":{"name":"a","namespace":"default",` +
		`"uid":"00000000-0000-4000-8000-000000000001","resourceVersion":"1000000"},"spec":{"x":1}}}`)
	var f skim.Frame
	if err := s.Frame(frame, &f); err != nil {
		tb.Fatal(err)
	}
	r.objects[f.Object.Key()] = entry{state: f.Object.State, version: 1}
	version := frame[len(frame)-len(`1000000"},"spec":{"x":1}}}`):][:7]
	return r, func() stream.Event {
		for i := len(version) - 1; ; i-- { // a newer one
			if version[i]++; version[i] <= '9' {
				break
			}
			version[i] = '0'
		}
		if err := s.Frame(frame, &f); err != nil {
			tb.Fatal(err)
		}
		return stream.Event{Type: stream.Modified, Object: f.Object}
	}
}

func TestAnUnchangedEventAllocatesNothing(t *testing.T) {
	r, next := unchanged(t)
	if n := testing.AllocsPerRun(1000, func() { r.Deliver(next()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if _, busy := r.Known(); busy != 0 {
		t.Error("the event changes something")
	}
}

func BenchmarkUnchangedEvent(b *testing.B) {
	r, next := unchanged(b)
	b.ReportAllocs()
	for b.Loop() {
		r.Deliver(next())
	}
}

// BenchmarkWake is an object that is woken and finds nothing to do: a turn without a round.
func BenchmarkWake(b *testing.B) {
	r := crowd(b, 1)
	r.stopping = true // turns begin and end
	w := &work{}
	b.ReportAllocs()
	for b.Loop() {
		r.mu.Lock()
		r.queue(w)
		r.mu.Unlock()
		for done := false; !done; {
			r.mu.Lock()
			done = w.phase == resting
			r.mu.Unlock()
			runtime.Gosched()
		}
	}
}

// BenchmarkSleep is the timer of an object that waits.
func BenchmarkSleep(b *testing.B) {
	r := crowd(b, 1)
	w := &work{}
	b.ReportAllocs()
	for b.Loop() {
		r.mu.Lock()
		r.wait(w, time.Now().Add(time.Hour))
		w.stopTimer()
		r.mu.Unlock()
	}
}
