package progress

import (
	"slices"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

// stale is a state, other than the one at hand, that a handler of creation or resuming has finished for. It is not told of the state at
// hand, so that handlers of updates and fields must be.
type stale struct {
	// essence is nil if it is no longer in memory.
	essence map[string]any
	at      time.Time
}

// settle returns the records and the essence to store when all that were chosen have finished: no records, and the state at hand.
//
// It is otherwise if the object changed between the handlers of one creation, or of one resuming. What the last of them was told then
// counts as handled, and the handlers that would miss the change to the state at hand are due for an update, with records for no single
// state, which hold even if the object changes back. Without this the change would be lost, as in Kopf.
func (p *planner) settle(kept map[string]*record.Record) (map[string]*record.Record, map[string]any) {
	tales := p.stale(kept)
	open := map[string]*record.Record{}
	missing := false
	for _, h := range p.Handlers {
		if !h.On.follows() {
			continue
		}
		r := kept[h.ID]
		if p.misses(h, r, tales) {
			missing = true
			r = started(kopf.ReasonUpdate, p.Time)
			r.Seen = record.NoSingleState
		}
		if r != nil {
			r.Purpose = kopf.ReasonUpdate
			open[h.ID] = r
		}
	}
	if missing {
		return p.withChildren(open), last(tales)
	}
	if p.Base != nil && essence.Equal(p.Base, p.Essence) {
		return nil, nil
	}
	return nil, p.Essence
}

// stale returns what handlers that do not follow changes, and their sub-handlers, have finished for other than the state at hand.
func (p *planner) stale(kept map[string]*record.Record) []stale {
	if p.Reason == kopf.ReasonDelete {
		return nil
	}
	var tales []stale
	for _, c := range p.chosen {
		if c.role.follows() {
			continue
		}
		for _, id := range append([]string{p.Handlers[c.index].ID}, c.record.Subrefs...) {
			if r := kept[id]; r != nil && r.Finished() && r.Seen != "" && whole(r) != p.now.digest(nil) {
				tales = append(tales, stale{essence: p.base(r), at: r.Stopped})
			}
		}
	}
	return tales
}

// misses tells whether a handler would not be told that what it looks at is no longer as in one of the tales. It was if it finished for
// the state at hand after the tale.
func (p *planner) misses(h Handler, r *record.Record, tales []stale) bool {
	for _, t := range tales {
		differs := t.essence == nil || !p.now.equals(t.essence, h.Field)
		told := r != nil && r.Seen == p.now.digest(h.Field) && r.Stopped.After(t.at)
		if differs && !told {
			return true
		}
	}
	return false
}

// last returns the essence of the latest tale, or an empty one if it is no longer in memory.
func last(tales []stale) map[string]any {
	latest := slices.MaxFunc(tales, func(a, b stale) int { return a.at.Compare(b.at) })
	if latest.essence == nil {
		return map[string]any{}
	}
	return latest.essence
}
