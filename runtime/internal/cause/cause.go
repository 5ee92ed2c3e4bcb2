// Package cause names what has happened to an object. Package handling asks it first: the name says which handlers come into question.
// That an object is gone is no cause: package reactor forgets it, and no handler is asked.
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
)

// String names the kind, for logs.
func (k Kind) String() string { return [...]string{"noop", "change", "free"}[k] }

// Input is what a cause is made of.
type Input struct {
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
	// Initial tells whether resume handlers take part: in a creation never, in a deletion only those that ask for it.
	Initial bool
}

// Detect names the cause. As in Kopf, it is the state of the object that tells, not the type of an event: an object without a last handled
// state is a creation. A change that was taken back while handlers were unfinished is no change here; package progress sees to it that
// they come to an end.
func Detect(in Input) Cause {
	switch {
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
