package stream

import (
	"sync/atomic"
	"time"
)

// Stats is how a stream is doing, for health and metrics. Counts are since the beginning.
type Stats struct {
	Synced    bool      // the list is complete, and the changes since then are read
	LastHeard time.Time // of the last event, bookmark or answer; zero before the first
	Trouble   error     // why it does not work at the moment, or nil
	Lists     uint64    // begun
	Watches   uint64    // begun, streaming lists included
	Events    uint64    // delivered
	Bookmarks uint64
	Refused   uint64 // objects that could not be served
	Failures  uint64 // attempts that did not end as they should
}

type stats struct {
	synced                                               atomic.Bool
	last                                                 atomic.Int64 // Unix nanoseconds
	trouble                                              atomic.Pointer[error]
	lists, watches, events, bookmarks, refused, failures atomic.Uint64
}

func (s *stats) heard() { s.last.Store(time.Now().UnixNano()) }

// Stats tells how the stream is doing. It may be called at any time, by any goroutine.
func (w *Watcher) Stats() Stats {
	s := &w.stats
	stats := Stats{
		Synced:    s.synced.Load(),
		Lists:     s.lists.Load(),
		Watches:   s.watches.Load(),
		Events:    s.events.Load(),
		Bookmarks: s.bookmarks.Load(),
		Refused:   s.refused.Load(),
		Failures:  s.failures.Load(),
	}
	if last := s.last.Load(); last != 0 {
		stats.LastHeard = time.Unix(0, last)
	}
	if trouble := s.trouble.Load(); trouble != nil {
		stats.Trouble = *trouble
	}
	return stats
}
