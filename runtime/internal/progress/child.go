package progress

import (
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

// Look is what a sub-handler looks at when it is called, and for which reason.
type Look struct {
	Reason kopf.Reason
	// Seen is what it looks at: a value of its own if Explicit, else what its parent looks at. Essence is the whole state.
	Seen     any
	Explicit bool
	Essence  map[string]any
	// Reopens tells that its parent is called for every change.
	Reopens bool
	// Time stands in new records.
	Time time.Time
}

// Child returns the record that a sub-handler goes on from, given the stored one, which may be nil and is not changed. It is due unless
// the record says that it has finished.
//
// One that has finished is due again when what it looks at has changed, if its parent is called for every change, or if it named a value
// of its own.
func Child(stored *record.Record, l Look) *record.Record {
	r := dated(stored, l.Time)
	if r == nil {
		return started(l.Reason, l.Time)
	}
	if l.Reason == kopf.ReasonDelete && r.Purpose != l.Reason && r.Purpose != "" {
		return reset(r, l.Reason, l.Time)
	}
	r.Purpose = l.Reason
	if !r.Finished() {
		return r
	}
	seen := essence.Digest(l.Seen)
	switch {
	case r.Seen == "", r.Seen == seen && l.Explicit:
		// The state may have changed, what it looks at has not.
		bind(r, seen, essence.Digest(l.Essence))
	case r.Seen != seen && (l.Explicit || l.Reopens):
		return reopened(r, l.Reason, l.Time)
	}
	return r
}
