package reactor

import (
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// phase is how far an object in works has come.
type phase uint8

const (
	// waiting: it is in progress, and waits for an event or for its timer.
	waiting phase = iota
	// queued: its turn will come.
	queued
	// running: it has its turn.
	running
	// resting: nothing is due. Handlers keep a memo of it, or the server says that it is gone and the events do not yet.
	resting
)

// work is what an object has beside its entry while it is not just at rest. It is made with the first state that is news, and dropped when
// nothing is due any more. The reactor's lock guards it, but memory, memos and unsent belong to the turn while one is running.
type work struct {
	key                  skim.Key
	uid, name, namespace string

	phase phase
	timer *time.Timer
	// hold is the time before which the object, which feeds itself, gets no turn. Only the beginning of its deletion lifts it; deleting tells
	// that this has come.
	hold     time.Time
	deleting bool
	// raw is the newest state without managedFields; nil if it did not fit into the budget, or there is no progress.
	raw []byte
	// fresh tells that there is a state that no round has looked at.
	fresh bool
	// read tells that only the server knows the newest state: the next round has to ask it.
	read bool
	// gone tells that the object is no more, as far as is known; deleted, that an event or a list said so while its turn was running.
	gone, deleted bool

	// trust is the time until which events are taken to be older than our answer, where versions have no order. late tells that such an event
	// came; heard, that any event has come since the last request began.
	trust       time.Time
	late, heard bool

	// memory holds the states that handlers were called for, while the object is in progress.
	memory progress.Memory
	memos  handling.Memos
	// unsent is what a round wanted to write and could not; it is sent before handlers are called again.
	unsent *writing
	// failures counts the turns that failed in a row for reasons outside of the handlers.
	failures int
}

func newWork(k skim.Key, o *skim.Object) *work {
	return &work{key: k, uid: string(o.UID), name: string(o.Name), namespace: string(o.Namespace)}
}
