package progress

import (
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

// started returns the record of a handler that was selected and not tried yet.
func started(reason kopf.Reason, at time.Time) *record.Record {
	return &record.Record{Started: at, Purpose: reason}
}

// dated returns a copy of a record; that of nil is nil. As in Kopf, a record that does not say when it was started has just been started.
func dated(r *record.Record, at time.Time) *record.Record {
	r = r.Clone()
	if r != nil && r.Started.IsZero() {
		r.Started = at
	}
	return r
}

// reset returns the record of a handler that starts anew because what its record says was about something else.
func reset(r *record.Record, reason kopf.Reason, at time.Time) *record.Record {
	fresh := started(reason, at)
	fresh.Subrefs, fresh.Unknown = r.Subrefs, r.Unknown
	return fresh
}

// reopened returns the record of a handler that has finished and is due again. It keeps what it had finished for, since that is what the
// next change is measured from, and the ids of its sub-handlers.
func reopened(r *record.Record, reason kopf.Reason, at time.Time) *record.Record {
	again := reset(r, reason, at)
	again.Seen, again.Whole = r.Seen, r.Whole
	return again
}

// Bind marks a finished record as one for the value that its handler looks at, in the given whole essence.
func Bind(r *record.Record, seen any, whole map[string]any) {
	bind(r, essence.Digest(seen), newSnapshot(whole).digest(nil))
}

func bind(r *record.Record, seen, whole string) {
	r.Seen, r.Whole = seen, whole
	if seen == whole {
		r.Whole = ""
	}
}

// whole returns the digest of the whole essence that the handler finished for last, and "" if it has not finished in a single state.
func whole(r *record.Record) string {
	switch {
	case r == nil, r.Seen == record.NoSingleState:
		return ""
	case r.Whole != "":
		return r.Whole
	}
	return r.Seen
}

// Tried tells whether an attempt was made since the handler was selected or became due again. One that only waited counts no retry, but
// leaves a delay.
func Tried(r *record.Record) bool { return r.Retries > 0 || !r.Delayed.IsZero() || r.Message != nil }
