// Package progress decides which handlers of an object are due, and what is remembered of them.
//
// It is one pure function, [Plan]: from the state that was handled last, the state at hand, and the records of the handlers, it works out
// what is due, which records remain, and whether the state is handled. Package handling calls it before the attempts of a round and once
// more after them, with the records that the attempts left; between the two lies everything that is not pure.
//
// Kopf remembers only that a handler has finished, and so forgets it when the object changes again before all others have finished. Here
// each record is bound to the state that its handler was told of. From that follow the rules:
//
//   - what a handler is compared with, its base, is the state for which it finished last; if it has not finished yet, it is the state that
//     the object was handled for;
//   - handlers of updates and fields that have finished are due again when what they look at has changed since; those of creation, resuming
//     and deletion are not;
//   - a handler that has been tried goes on until it has an outcome, whatever becomes of the change or of its filters;
//   - the state is handled when every handler that was selected has finished for it.
package progress

import (
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

// Kind is a set of handler kinds.
type Kind uint8

// The kinds of handlers of changes.
const (
	Create Kind = 1 << iota
	Update
	Delete
	Resume
	Field
)

// Has tells whether any of the kinds is in the set.
func (k Kind) Has(kinds Kind) bool { return k&kinds != 0 }

// follows tells whether a handler in this role is called for every change, and so again after it has finished. In the other roles it
// finishes once.
func (k Kind) follows() bool { return k.Has(Update | Field) }

// Handler is what the plan needs to know of a handler.
type Handler struct {
	ID string
	On Kind
	// Field is the part of the essence that the handler looks at; empty means all of it.
	Field []string
	// Deleted means, for a resume handler, that it is also called for objects that are being deleted.
	Deleted bool
	// Match tells whether all filters let the object pass, compared with the essence before, which is nil if there is none or it is not
	// known. That something has changed is not its concern. An error ends the planning.
	Match func(before map[string]any) (bool, error)
}

// State is one state of an object, with all that is remembered of it.
type State struct {
	// Reason is the reason to handle this state; empty if it does not differ from Base. Open records may be a reason then.
	Reason kopf.Reason
	// Initial tells that the object was found when the operator started, and has not been handled since.
	Initial bool
	// Base is the essence that was handled last, or nil; Essence is the one at hand.
	Base, Essence map[string]any
	// Records are those of the handlers and of the sub-handlers that these name, by id. They are not changed.
	Records map[string]*record.Record
	// Memory may be nil.
	Memory *Memory
	// Time stands in new records.
	Time time.Time
	// Handlers are in the order of execution. Where several have one ID, they are one handler with several markers, and the first one that
	// is selected counts.
	Handlers []Handler
}

// Outlook is what a state asks for.
type Outlook struct {
	// Reason is what handlers are called for; empty if there is nothing to do.
	Reason kopf.Reason
	// Superseded are the other reasons that the records were made for.
	Superseded []kopf.Reason
	// Due are the handlers that have not finished, in order; the records of some may still be delayed.
	Due []Due
	// Succeeded and Failed count the handlers that have finished.
	Succeeded, Failed int
	// Complete tells that all selected handlers have finished for this state.
	Complete bool
	// Records are what remains to be stored if nothing more is done. All others are to be removed.
	Records map[string]*record.Record
	// Base is the essence to store as the one that was handled last; nil leaves what is stored.
	Base map[string]any
}

// Due is a handler that has to be called.
type Due struct {
	// Index is its place in the handlers of the state.
	Index int
	// Role is the kind, of those it is declared for, that it is called as.
	Role Kind
	// Old is the essence that it is told of as the one before; nil on creation, and where a record outlived the memory of its state.
	Old map[string]any
	// Record is what its attempt goes on from.
	Record *record.Record
}
