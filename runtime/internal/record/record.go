// Package record holds what is remembered of one handler while its change is being handled: since when it has been tried, how
// often, and with what outcome. Records travel as JSON in annotations, in the form in which Kopf writes and reads them, so that an operator written in
// Python can go on where this one stopped, and the reverse.
//
// Package progress decides what becomes of records, package storage finds and writes them.
package record

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// NoSingleState is the value of Seen for a handler that was told of several states in one change, for which no one digest can stand: it is due
// again, whatever the state is.
const NoSingleState = "*"

// Record is the progress of one handler, or sub-handler, with one change.
type Record struct {
	// Started is when the handler was selected for the change, which is before its first attempt; zero in a record that does not say.
	Started time.Time
	// Stopped is when it finished; zero while it is unfinished.
	Stopped time.Time
	// Delayed is the earliest time of the next attempt; zero means at once.
	Delayed time.Time
	// Purpose is the reason of the change; records of very old versions of Kopf have none.
	Purpose kopf.Reason
	// Retries counts the attempts made so far.
	Retries int
	// Success and Failure are the outcome; both are false while the handler is unfinished.
	Success, Failure bool
	// Message is the text of the error of the last attempt, or nil if it had none.
	Message *string
	// Subrefs are the full ids of all sub-handlers below this one, sorted and without duplicates; see [Record.AddSubrefs].
	Subrefs []string

	// Seen is the digest of what the handler looks at, in the state for which it last finished. Whole is the digest of the whole essence
	// then, empty where it equals Seen. Kopf has neither: without Seen, a finished record counts for the current state.
	Seen, Whole string

	// Unknown are members that neither Kopf nor this package knows, kept as they are for whoever wrote them.
	Unknown map[string]json.RawMessage
}

// Finished tells whether the handler has an outcome.
func (r *Record) Finished() bool { return r.Success || r.Failure }

// Sleeping tells whether the handler is unfinished and must not be tried yet.
func (r *Record) Sleeping(now time.Time) bool { return !r.Finished() && r.Delayed.After(now) }

// AddSubrefs adds the full ids of sub-handlers.
func (r *Record) AddSubrefs(ids ...string) {
	all := slices.Concat(r.Subrefs, ids)
	slices.Sort(all)
	r.Subrefs = slices.Compact(all)
}

// Clone returns a deep copy; that of nil is nil.
func (r *Record) Clone() *Record {
	if r == nil {
		return nil
	}
	c := *r
	if r.Message != nil {
		c.Message = new(*r.Message)
	}
	c.Subrefs = slices.Clone(r.Subrefs)
	c.Unknown = maps.Clone(r.Unknown)
	for name, value := range c.Unknown {
		c.Unknown[name] = bytes.Clone(value)
	}
	return &c
}

// Equal tells whether both records are stored in the same form, so that writing one over the other would change nothing. Times are
// stored to the microsecond. Nil equals nil only.
func (r *Record) Equal(other *Record) bool {
	if r == nil || other == nil {
		return r == other
	}
	a, errA := r.MarshalJSON()
	b, errB := other.MarshalJSON()
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
