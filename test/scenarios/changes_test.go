package scenarios

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// TestChangedDuringASlowHandler changes an object while the handler of its creation runs.
func TestChangedDuringASlowHandler(t *testing.T) {
	s := begin(t)
	changed := make(chan struct{})
	op := s.Run(of(
		s.handler(operator.OnCreate, "made", func(context.Context, *operator.Call[operator.None]) (any, error) {
			<-changed
			return "done", nil
		}),
		s.handler(operator.OnUpdate, "changed", fine),
	))
	one := s.subject("one", "spec: {v: 1}")
	s.untilCalled("one create", 1)
	one.Patch(`spec: {v: 2}`)
	one.Patch(`spec: {v: 3}`)
	close(changed)
	one.Until("the change is handled", `{handled: {spec: {v: 3}}, status: {made: done}, progress: null}`)
	op.Stop()
	s.expect("one ", `create made#0 ->{"spec":{"v":1}}`, `update changed#0 {"spec":{"v":1}}->{"spec":{"v":3}}`)
}

// TestFastChanges makes changes faster than they are handled. States may be skipped, but each handler is told an unbroken chain of them up to
// the last.
func TestFastChanges(t *testing.T) {
	s := begin(t)
	slow := func(context.Context, *operator.Call[operator.None]) (any, error) {
		time.Sleep(20 * time.Millisecond)
		return nil, nil
	}
	op := s.Run(of(
		s.handler(operator.OnUpdate, "whole", slow),
		s.handler(operator.OnField, "part/spec.v", slow, field("spec", "v")),
		s.handler(operator.OnUpdate, "flaky", failing(2, 100*time.Millisecond)),
	))
	one := s.subject("one", "spec: {v: 0}")
	one.Until("it is handled", `{handled: {spec: {v: 0}}, progress: null}`)
	for n := range 20 {
		one.Patch(fmt.Sprintf("spec: {v: %d}", n+1))
	}
	one.Until("the last change is handled", `{handled: {spec: {v: 20}}, progress: null}`)
	op.Stop()
	for handler, last := range map[string]string{"whole#0 ": `{"spec":{"v":20}}`, "part/spec.v#0 ": "20"} {
		told := ""
		for _, call := range s.noted("one update " + handler) {
			old, now, _ := strings.Cut(strings.TrimPrefix(call, "one update "+handler), "->")
			if told != "" && old != told {
				t.Errorf("%s was told %s and then %s", handler, told, call)
			}
			told = now
		}
		if told != last {
			t.Errorf("the last state that %s was told is %s", handler, told)
		}
	}
}

// TestChangedDuringSubHandlers changes an object while one of two sub-handlers of an update waits for another attempt.
func TestChangedDuringSubHandlers(t *testing.T) {
	s := begin(t)
	op := s.Run(of(s.handler(operator.OnUpdate, "parent", func(ctx context.Context, c *operator.Call[operator.None]) (any, error) {
		var object struct{ Spec struct{ V int } }
		if err := c.Raw().Decode(&object); err != nil {
			return nil, err
		}
		sub := func(id string, run func(try int) error) kopf.Sub {
			return kopf.Sub{ID: id, Run: func(context.Context) (any, error) {
				s.note("sub %s %d", id, object.Spec.V)
				return object.Spec.V, run(len(s.noted("sub " + id)))
			}}
		}
		return nil, kopf.Execute(ctx,
			sub("a", func(int) error { return nil }),
			sub("b", func(try int) error {
				if try < 2 {
					return kopf.Temporary(errNotYet, 2*time.Second)
				}
				return nil
			}))
	}, policy(kopf.Policy{Retries: 1}))))
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is handled", `{handled: {spec: {v: 1}}, progress: null}`)
	one.Patch(`spec: {v: 2}`)
	one.Until("one part is done", `progress: {parent: {success: false}, parent.a: {success: true}, parent.b: {retries: 1}}`)
	one.Patch(`spec: {v: 3}`)
	one.Until("all is done", `{handled: {spec: {v: 3}}, status: {parent/a: 3, parent/b: 3}, progress: null}`)
	op.Stop()
	s.expect("sub ", "a 2", "b 2", "a 3", "b 3")
}

// TestAHandlerEditsItsObject has a handler complete the specification of its object: one more update, and rest.
func TestAHandlerEditsItsObject(t *testing.T) {
	s := begin(t)
	complete := func(_ context.Context, c *operator.Call[operator.None]) (any, error) {
		c.Patch().Set(true, "spec", "complete")
		return nil, nil
	}
	op := s.Run(of(s.handler(operator.OnCreate, "made", complete), s.handler(operator.OnUpdate, "changed", complete)))
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is complete", `{handled: {spec: {v: 1, complete: true}}, progress: null}`)
	one.Patch(`spec: {v: 2}`)
	one.Until("the change is handled", `{handled: {spec: {v: 2, complete: true}}, progress: null}`)
	s.caughtUp("two")
	op.Stop()
	s.expect("one ",
		`create made#0 ->{"spec":{"v":1}}`,
		`update changed#0 {"spec":{"v":1}}->{"spec":{"complete":true,"v":1}}`,
		`update changed#0 {"spec":{"complete":true,"v":1}}->{"spec":{"complete":true,"v":2}}`)
}

// TestAHandlerFeedsItself has a handler whose changes never end: it is named, slowed down, and keeps nobody else waiting.
func TestAHandlerFeedsItself(t *testing.T) {
	s := begin(t)
	op := s.Run(of(
		s.handler(operator.OnUpdate, "greedy", func(_ context.Context, c *operator.Call[operator.None]) (any, error) {
			c.Patch().Set(len(s.noted("one update")), "spec", "v")
			return nil, nil
		}, labels("greedy")),
		s.handler(operator.OnCreate, "made", fine),
	))
	one := s.subject("one", "  labels: {greedy: ''}", "spec: {v: 0}")
	one.Until("it is handled", `handled: {spec: {v: 0}}`)
	one.Patch(`spec: {v: -1}`)
	op.UntilLines(2, "level=ERROR", "greedy", "reacts to its own changes", "object.name=one")
	s.caughtUp("two")
	op.Stop()
	if calls := len(s.noted("one update")); calls > 60 {
		t.Errorf("%d calls, that is not slow", calls)
	}
}

// TestAtOnce has a handler that asks to be called again at once, more often than a turn has rounds.
func TestAtOnce(t *testing.T) {
	s := begin(t)
	op := s.Run(of(s.handler(operator.OnCreate, "made", failing(25, 0))))
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is done", `{handled: {spec: {v: 1}}, progress: null}`)
	op.Stop()
	if calls := s.noted("one "); len(calls) != 26 {
		t.Errorf("%d calls", len(calls))
	}
}

// TestAnotherWritesTheStatus has somebody else write the status all the time: no handler is called more often, or later, for it.
func TestAnotherWritesTheStatus(t *testing.T) {
	s := begin(t)
	op := s.Run(of(s.handler(operator.OnCreate, "made", func(ctx context.Context, c *operator.Call[operator.None]) (any, error) {
		if _, err := failing(3, 300*time.Millisecond)(ctx, c); err != nil {
			return nil, err
		}
		return "done", nil
	})))
	one := s.subject("one", "spec: {v: 1}")
	over := make(chan struct{})
	ended := make(chan struct{})
	client := s.client("test.kopf.dev/v1", "subjects")
	go func() {
		defer close(ended)
		for n := 0; ; n++ {
			select {
			case <-over:
				return
			case <-time.After(20 * time.Millisecond):
				s.writeStatus(client, "one", fmt.Sprintf(`{"status":{"heartbeat":%d}}`, n))
			}
		}
	}()
	one.Until("it is done", `{handled: {spec: {v: 1}}, progress: null, status: {made: done}}`)
	close(over)
	<-ended
	op.Stop()
	if calls := s.noted("one "); len(calls) != 4 {
		t.Errorf("calls %q", calls)
	}
	if lines := op.Lines("could not be handled"); len(lines) > 0 {
		t.Error(lines)
	}
}
