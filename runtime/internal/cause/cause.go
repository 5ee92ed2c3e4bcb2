// Package cause names what has happened to an object, and so which handlers are asked.
package cause

import kopf "github.com/kopfgen/kopfgen/runtime"

// Kind says whether there is anything to handle.
type Kind uint8

// The kinds of causes.
const (
	// Noop: the object is as it was handled last.
	Noop Kind = iota
	// Change: handlers are asked, for the reason of the cause.
	Change
	// Free: the object is being deleted and does not, or no longer, wait for this operator.
	Free
	// Gone: the object is no more.
	Gone
)

// String names the kind, for logs.
func (k Kind) String() string { return [...]string{"noop", "change", "free", "gone"}[k] }

// Input is what a cause is made of.
type Input struct {
	// Deleted: the event says that the object is gone.
	Deleted bool
	// Deleting: the object has a deletionTimestamp.
	Deleting bool
	// Blocked: our finalizer is on the object.
	Blocked bool
	// Handled: there is a last handled state.
	Handled bool
	// Changed: that state differs from the current one.
	Changed bool
	// Initial: the object was found by a list, and nothing has been completed for it since then.
	Initial bool
}

// Cause is what has happened.
type Cause struct {
	Kind Kind
	// Reason is that of a change and empty otherwise.
	Reason kopf.Reason
	// Initial tells whether resume handlers take part: not in a creation; in a deletion those only that ask for it.
	Initial bool
}

// Detect names the cause. As in Kopf, the type of an event tells nothing but a deletion: a creation is an object without a last handled
// state. A change that was taken back while handlers were unfinished is no change here; package progress sees to it that they get to an end.
func Detect(in Input) Cause {
	switch {
	case in.Deleted:
		return Cause{Kind: Gone}
	case in.Deleting && !in.Blocked:
		return Cause{Kind: Free}
	case in.Deleting:
		return Cause{Change, kopf.ReasonDelete, in.Initial}
	case !in.Handled:
		return Cause{Change, kopf.ReasonCreate, false}
	case in.Changed:
		return Cause{Change, kopf.ReasonUpdate, in.Initial}
	case in.Initial:
		return Cause{Change, kopf.ReasonResume, true}
	}
	return Cause{Kind: Noop}
}
