// Package events keeps the events of one object until its handlers have been told them: in order, and within a bound. Package reactor fills
// and empties the queues; package handling merges what waits to be told again.
package events

import (
	"slices"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// Event is what handlers of events are told.
type Event struct {
	Type kopf.EventType
	// Raw is the object as the event shows it, without managedFields. Nil stands for the newest state, where there was no room for this one;
	// only the last event of a queue may have that, and not one of type EventDeleted.
	Raw []byte
}

// Then returns what is told of two events of one object where there is room for one: the later state. Whoever has not been told that an
// object came has to be told even if it has changed meanwhile, so the earlier type stays unless it is EventModified; but the end of an
// object, or a beginning after it, counts more than what was before.
func (e Event) Then(later Event) Event {
	if e.Type != kopf.EventModified && e.Type != kopf.EventDeleted && later.Type != kopf.EventDeleted {
		later.Type = e.Type
	}
	return later
}

// Limit is how many events of one object may wait.
const Limit = 100

// Queue holds the events of one object that are still to be told. The zero value is empty and ready to use.
type Queue struct{ waiting []Event }

// Push adds an event. An event without a state is merged into the one that follows. If the queue is full, so is the oldest event of type
// EventModified, or else the oldest of all. Push returns the event that is not told for that, and true.
func (q *Queue) Push(e Event) (lost Event, merged bool) {
	q.waiting = append(q.waiting, e)
	last := len(q.waiting) - 1
	at := last - 1
	if at < 0 || q.waiting[at].Raw != nil {
		if len(q.waiting) <= Limit {
			return Event{}, false
		}
		at = max(0, slices.IndexFunc(q.waiting[:last], func(e Event) bool { return e.Type == kopf.EventModified }))
	}
	lost = q.waiting[at]
	q.waiting[at+1] = lost.Then(q.waiting[at+1])
	q.waiting = slices.Delete(q.waiting, at, at+1)
	return lost, true
}

// Pop removes the next event.
func (q *Queue) Pop() (Event, bool) {
	if len(q.waiting) == 0 {
		return Event{}, false
	}
	e := q.waiting[0]
	q.waiting[0] = Event{}
	q.waiting = q.waiting[1:]
	if len(q.waiting) == 0 {
		q.waiting = nil
	}
	return e, true
}

// Len returns how many events wait.
func (q *Queue) Len() int { return len(q.waiting) }

// Last returns the newest state in the queue, nil if there is none.
func (q *Queue) Last() []byte {
	for _, e := range slices.Backward(q.waiting) {
		if e.Raw != nil {
			return e.Raw
		}
	}
	return nil
}
