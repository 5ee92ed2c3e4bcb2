package kopftest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/kopftest"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// everything is an operator with handlers of each kind of change, of which all take their time and some fail at first.
func everything() operator.Definition {
	slow := func(ctx context.Context, c *operator.Call[Thing]) (any, error) {
		select {
		case <-time.After(2 * time.Second):
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	made := handler("made", operator.OnCreate, func(ctx context.Context, c *operator.Call[Thing]) (any, error) {
		if c.Retry() == 0 {
			return nil, kopf.Temporary(errors.New("not yet"), 5*time.Second)
		}
		_, err := slow(ctx, c)
		return "made", err
	})
	size := handler("size", operator.OnField, slow)
	size.Field = []string{"spec", "size"}
	last := handler("last", operator.OnDelete, func(ctx context.Context, c *operator.Call[Thing]) (any, error) {
		if c.Retry() == 0 {
			return nil, kopf.Temporary(errors.New("not yet"), 5*time.Second)
		}
		return slow(ctx, c)
	})
	d := things(made, handler("first", operator.OnCreate, slow), handler("updated", operator.OnUpdate, slow), size, last)()
	d.Resources[0].Watch.Finalizer = true
	return d
}

// life is a scenario of one object that is changed while it is created, while it is changed, and while nothing is done, and of others that
// are deleted at once, and while nobody is there.
func life(_ testing.TB, s *kopftest.Stage) {
	a := s.Create(thing("a", 1))
	s.Advance(time.Second)
	a.Patch(`spec: {size: 2}`)
	a.Expect(`{progress: null, handled: {spec: {size: 2}}}`)
	a.Patch(`spec: {size: 4}`)
	s.Advance(3 * time.Second)
	a.Patch(`metadata: {labels: {a: b}}`)
	a.Expect(`{progress: null, handled: {spec: {size: 4}, metadata: {labels: {a: b}}}}`)
	b := s.Create(thing("b", 1))
	s.Advance(time.Second)
	b.Delete()
	b.Expect(kopftest.Gone)
	c := s.Create(thing("c", 1))
	c.Expect(`{progress: null, handled: {spec: {size: 1}}}`)
	s.Stop()
	c.Patch(`spec: {size: 5}`)
	s.Start()
	c.Expect(`{progress: null, handled: {spec: {size: 5}}}`)
}

// Whatever happens to it, an operator of everything does what it should.
func TestExplore(t *testing.T) {
	kopftest.Exploration{Options: options}.Explore(t, everything, life)
}
