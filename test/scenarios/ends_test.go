package scenarios

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/runtime/operator"
)

// TestDeletedWhileRetrying deletes an object whose creation waits for another attempt, and creates another one of that name. Nothing of the
// first concerns the second.
func TestDeletedWhileRetrying(t *testing.T) {
	s := begin(t)
	op := s.Run(of(s.handler(operator.OnCreate, "made", func(ctx context.Context, c *operator.Call[operator.None]) (any, error) {
		s.note("uid %s#%d", c.UID(), c.Retry())
		return failing(2, 2*time.Second)(ctx, c)
	})))
	first := s.subject("one", "spec: {v: 1}")
	first.Until("it waits", `progress: {made: {retries: 1, success: false}}`)
	first.Delete()
	first.UntilGone()
	second := s.subject("one", "spec: {v: 2}")
	second.Until("it is done", `{handled: {spec: {v: 2}}, progress: null}`)
	op.Stop()
	s.expect("one ",
		`create made#0 ->{"spec":{"v":1}}`, `create made#0 ->{"spec":{"v":2}}`, `create made#1 ->{"spec":{"v":2}}`, `create made#2 ->{"spec":{"v":2}}`)
	if calls := s.noted("uid "); calls[0] == calls[1] {
		t.Errorf("one uid for two objects: %q", calls)
	}
	if lines := op.Lines("level=ERROR", "could not be handled"); len(lines) > 0 {
		t.Error(lines)
	}
}

// TestDeletionSupersedesRetries deletes an object that waits for its creation and for its deletion to be handled.
func TestDeletionSupersedesRetries(t *testing.T) {
	s := begin(t)
	op := s.Run(of(
		s.handler(operator.OnCreate, "made", failing(1, time.Hour)),
		s.handler(operator.OnDelete, "left", failing(1, time.Second)),
	))
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it waits", `progress: {made: {retries: 1, purpose: create}}`)
	one.Delete()
	one.Until("it waits for another reason", `progress: {made: null, left: {retries: 1, purpose: delete}}`)
	one.UntilGone()
	op.Stop()
	s.expect("one ", `create made#0 ->{"spec":{"v":1}}`, `delete left#0 ->{"spec":{"v":1}}`, `delete left#1 ->{"spec":{"v":1}}`)
	op.UntilLines(1, "creation is superseded by deletion", "object.name=one")
}

// TestNoLongerForTheObject removes the label for which a delete handler makes an object wait.
func TestNoLongerForTheObject(t *testing.T) {
	s := begin(t)
	op := s.Run(of(
		s.handler(operator.OnDelete, "left", fine, labels("ours")),
		s.handler(operator.OnUpdate, "changed", fine),
	))
	one := s.subject("one", "  labels: {ours: ''}", "spec: {v: 1}")
	one.Until("it is guarded", guarded)
	one.Until("it is handled", `handled: {spec: {v: 1}}`)
	one.Patch(`metadata: {labels: {ours: null}}`)
	one.Until("it is free", `metadata: {finalizers: null}`)
	one.Until("the change is handled", `handled: {metadata: null}`)
	one.Patch(`metadata: {labels: {ours: again}}`)
	one.Until("it is guarded again", guarded)
	one.Patch(`metadata: {labels: {ours: null}}`)
	one.Until("it is free again", `metadata: {finalizers: null}`)
	one.Delete()
	one.UntilGone()
	op.Stop()
	s.expect("one delete")
}

// TestFinalizersEmptied empties the list of finalizers, which is what people do to objects that do not go.
func TestFinalizersEmptied(t *testing.T) {
	s := begin(t)
	op := s.Run(of(s.handler(operator.OnDelete, "left", failing(1000, time.Second))))
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is guarded", guarded)
	one.Patch(`metadata: {finalizers: []}`)
	one.Until("it is guarded again", guarded)
	one.Patch(`metadata: {finalizers: [example.com/other]}`)
	one.Until("it is guarded beside another", `metadata: {finalizers: [example.com/other, `+finalizer+`]}`)
	one.Delete()
	one.Until("its deletion is tried", `progress: {left: {retries: 1}}`)
	one.Patch(`metadata: {finalizers: [example.com/other]}`)
	s.caughtUpWithout("two")
	calls := len(s.noted("one "))
	time.Sleep(2 * time.Second)
	if more := len(s.noted("one ")); more != calls {
		t.Errorf("a deletion that was taken out of our hands is still handled: %q", s.noted("one "))
	}
	one.Patch(`metadata: {finalizers: null}`)
	one.UntilGone()
	op.Stop()
	if lines := op.Lines("could not be handled"); len(lines) > 0 {
		t.Error(lines)
	}
}

// caughtUpWithout is caughtUp for operators that store no last handled state.
func (s *story) caughtUpWithout(marker string) {
	s.Helper()
	s.subject(marker, "spec: {}").Until("the operator has caught up", guarded)
}

// TestNamesakesOfGuardedObjects deletes and creates an object again and again while its handlers are slow.
func TestNamesakesOfGuardedObjects(t *testing.T) {
	s := begin(t)
	op := s.Run(of(
		s.handler(operator.OnCreate, "made", failing(1, 50*time.Millisecond)),
		s.handler(operator.OnDelete, "left", failing(1, 50*time.Millisecond)),
	))
	for range 5 {
		one := s.subject("one", "spec: {v: 1}")
		one.Until("it is guarded", guarded)
		one.Delete()
		one.UntilGone()
	}
	op.Stop()
	gone := 0
	for _, call := range s.noted("one delete left#1") {
		if strings.HasSuffix(call, `->{"spec":{"v":1}}`) {
			gone++
		}
	}
	if gone != 5 {
		t.Errorf("%d deletions were handled, want 5: %q", gone, s.noted("one"))
	}
}
