package events

import (
	"fmt"
	"strings"
	"testing"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

const (
	listed   = kopf.EventListed
	added    = kopf.EventAdded
	modified = kopf.EventModified
	deleted  = kopf.EventDeleted
)

func event(typ kopf.EventType, state int) Event { return Event{Type: typ, Raw: fmt.Append(nil, state)} }

// drain returns what is in a queue, as text.
func drain(q *Queue) string {
	var out []string
	for e, ok := q.Pop(); ok; e, ok = q.Pop() {
		out = append(out, fmt.Sprintf("%.1s%s", string(e.Type)+"LISTED", e.Raw))
	}
	return strings.Join(out, " ")
}

func TestThen(t *testing.T) {
	for _, c := range []struct{ first, later, want kopf.EventType }{
		{modified, modified, modified},
		{modified, deleted, deleted},
		{modified, listed, listed},
		{added, modified, added},
		{added, deleted, deleted},
		{added, listed, added},
		{listed, modified, listed},
		{listed, listed, listed},
		{listed, deleted, deleted},
		{deleted, added, added},
		{deleted, listed, listed},
	} {
		got := event(c.first, 1).Then(event(c.later, 2))
		if got.Type != c.want || string(got.Raw) != "2" {
			t.Errorf("%q, then %q: %q with state %s", c.first, c.later, got.Type, got.Raw)
		}
	}
}

func TestOrder(t *testing.T) {
	var q Queue
	for n, typ := range []kopf.EventType{listed, modified, modified, deleted, added} {
		if _, merged := q.Push(event(typ, n)); merged {
			t.Errorf("event %d is merged, although there is room", n)
		}
	}
	if q.Len() != 5 || string(q.Last()) != "4" {
		t.Errorf("%d events, the last of state %s", q.Len(), q.Last())
	}
	if got := drain(&q); got != "L0 M1 M2 D3 A4" {
		t.Errorf("the events are %s", got)
	}
	if q.Len() != 0 || q.Last() != nil || q.waiting != nil {
		t.Error("something is left")
	}
}

func TestAFullQueueMergesTheOldestChange(t *testing.T) {
	var q Queue
	q.Push(event(added, 0))
	for n := 1; n < Limit; n++ {
		q.Push(event(modified, n))
	}
	if lost, merged := q.Push(event(modified, Limit)); !merged || string(lost.Raw) != "1" {
		t.Errorf("lost state %q, %v", lost.Raw, merged)
	}
	if lost, merged := q.Push(event(deleted, Limit+1)); !merged || string(lost.Raw) != "2" {
		t.Errorf("lost state %q, %v", lost.Raw, merged)
	}
	if q.Len() != Limit {
		t.Errorf("%d events wait", q.Len())
	}
	if got := drain(&q); !strings.HasPrefix(got, "A0 M3 M4 ") || !strings.HasSuffix(got, " M100 D101") {
		t.Errorf("the events are %s", got)
	}
}

func TestAFullQueueWithoutChanges(t *testing.T) {
	var q Queue
	for n := range Limit + 2 {
		q.Push(event([]kopf.EventType{added, deleted}[n%2], n))
	}
	if q.Len() != Limit {
		t.Errorf("%d events wait", q.Len())
	}
	if got := drain(&q); !strings.HasPrefix(got, "A2 D3 ") || !strings.HasSuffix(got, " A100 D101") {
		t.Errorf("the events are %s", got)
	}
}

func TestAnEventWithoutAStateIsMergedIntoTheNext(t *testing.T) {
	var q Queue
	q.Push(Event{Type: added})
	if string(q.Last()) != "" {
		t.Error("there is no state")
	}
	if _, merged := q.Push(Event{Type: modified}); !merged {
		t.Error("two events without a state are kept apart")
	}
	q.Push(event(modified, 2))
	q.Push(event(modified, 3))
	if got := drain(&q); got != "A2 M3" {
		t.Errorf("the events are %s", got)
	}
}
