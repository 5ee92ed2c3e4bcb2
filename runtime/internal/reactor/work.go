package reactor

import (
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// phase is where an object in progress stands.
type phase uint8

const (
	// idle: it waits for an event or for its timer.
	idle phase = iota
	// queued: its turn will come.
	queued
	// running: its turn is on.
	running
)

// work is an object in progress, or one that handlers keep a memo of. Its reactor's lock guards it; memory, memos and unsent belong to
// the turn while one is on.
type work struct {
	key                  skim.Key
	uid, name, namespace string

	phase phase
	timer *time.Timer
	// raw is the newest state without managedFields; nil if it did not fit into the budget.
	raw []byte
	// fresh tells that a state arrived which no round has looked at.
	fresh bool
	// gone tells that the object was deleted, whether or not the event of that has come yet.
	gone bool

	// memory holds the states that handlers were called for, while the object is in progress.
	memory progress.Memory
	memos  handling.Memos
	// unsent is what a round wanted to write and could not; it is sent before handlers are called again.
	unsent *patch.Plan
	// failures counts the rounds that failed in a row for reasons outside of the handlers.
	failures int
}
