package scenarios

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/internal/exampletest"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// TestOneAtATime has many objects change all the time: handlers of one object run one after the other, those of several at once, up to
// what a startup handler has set.
func TestOneAtATime(t *testing.T) {
	s := begin(t)
	const limit, count = 3, 12
	var inAll, most atomic.Int32
	inOne := map[string]*atomic.Int32{}
	for i := range count {
		inOne[fmt.Sprintf("object-%d", i)] = new(atomic.Int32)
	}
	slow := func(_ context.Context, c *operator.Call[operator.None]) (any, error) {
		if n := inOne[c.Name()].Add(1); n > 1 {
			t.Errorf("%d handlers of %s at once", n, c.Name())
		}
		n := inAll.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(10 * time.Millisecond)
		inAll.Add(-1)
		inOne[c.Name()].Add(-1)
		return nil, nil
	}
	d := of(
		s.handler(operator.OnCreate|operator.OnUpdate, "a", slow),
		s.handler(operator.OnCreate|operator.OnUpdate, "b", slow),
	)
	d.Activities = []operator.Activity{{ID: "configure", On: operator.OnStartup, Run: func(_ context.Context, c *operator.Startup) (any, error) {
		c.Settings().Turns = limit
		return nil, nil
	}}}
	op := s.Run(d)
	var objects []*exampletest.Object
	for name := range inOne {
		objects = append(objects, s.subject(name, "spec: {v: 0}"))
	}
	for v := range 3 {
		for _, o := range objects {
			o.Patch(fmt.Sprintf("spec: {v: %d}", v+1))
		}
	}
	for _, o := range objects {
		o.Until("it is handled", `{handled: {spec: {v: 3}}, progress: null}`)
	}
	op.Stop()
	if n := most.Load(); n != limit {
		t.Errorf("at most %d objects were handled at once, want %d", n, limit)
	}
}

// TestASleepingObjectIsAwake has a handler that waits for long: changes of the object are handled meanwhile, and do not wake the handler.
func TestASleepingObjectIsAwake(t *testing.T) {
	s := begin(t)
	op := s.Run(of(
		s.handler(operator.OnUpdate, "sleepy", failing(1, 3*time.Second), field("spec", "slow")),
		s.handler(operator.OnField, "awake", fine, field("spec", "fast")),
	))
	one := s.subject("one", "spec: {slow: 0, fast: 0}")
	one.Until("it is handled", `{handled: {spec: {slow: 0}}, progress: null}`)
	began := time.Now()
	one.Patch("spec: {slow: 1}")
	one.Until("it waits", `progress: {sleepy: {retries: 1}}`)
	for v := range 3 {
		one.Patch(fmt.Sprintf("spec: {fast: %d}", v+1))
		s.untilCalled(fmt.Sprintf("one update awake#0 %d->%d", v, v+1), 1)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the changes were handled within %v, after the handler that waits", took)
	}
	one.Until("all is handled", `{handled: {spec: {slow: 1, fast: 3}}, progress: null}`)
	if took := time.Since(began); took < 3*time.Second {
		t.Errorf("the handler was woken after %v", took)
	}
	op.Stop()
	s.expect("one update sleepy", "#0 0->1", "#1 0->1")
}

// TestAFieldOfTheStatus watches what is no part of the essence for changes, and what others write beside it for none.
func TestAFieldOfTheStatus(t *testing.T) {
	s := begin(t)
	d := of(
		s.handler(operator.OnField, "phase/status.phase", returning("seen"), field("status", "phase")),
		s.handler(operator.OnUpdate, "whole", fine),
	)
	d.Resources[0].Watch.Extra = [][]string{{"status", "phase"}}
	op := s.Run(d)
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is handled", `{handled: {spec: {v: 1}, status: null}, progress: null}`)
	client := s.client("test.kopf.dev/v1", "subjects")
	s.writeStatus(client, "one", `{"status":{"phase":"Ready","other":1}}`)
	one.Until("the phase is handled", `{handled: {spec: {v: 1}, status: {phase: Ready, other: null}}, status: {phase/status.phase: seen}}`)
	s.writeStatus(client, "one", `{"status":{"other":2}}`)
	s.writeStatus(client, "one", `{"status":{"phase":null}}`)
	one.Until("the end of the phase is handled", `{handled: {spec: {v: 1}, status: null}}`)
	op.Stop()
	s.expect("one update phase", `/status.phase#0 ->"Ready"`, `/status.phase#0 "Ready"->`)
	if calls := s.noted("one update whole"); len(calls) != 2 || !strings.HasSuffix(calls[0], `"status":{"phase":"Ready"}}`) {
		t.Errorf("calls %q", calls)
	}
}
