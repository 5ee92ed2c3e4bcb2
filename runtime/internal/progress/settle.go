package progress

import (
	"slices"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

// tale is a state that a handler of creation or resuming has finished for. That handler will not be told what has changed since, so
// handlers of updates and fields must be.
type tale struct {
	digest string
	// state has no essence if that is no longer in memory.
	state snapshot
	at    time.Time
}

// settle returns the records and the essence to store when all that were chosen have finished: no records, and the state at hand. After a
// deletion there is nothing to remember.
//
// It is otherwise if the object changed between the handlers of one creation, or of one resuming. What the last of them was told before
// the change then counts as handled, and the handlers that would miss the change are due for an update: with their own record if it says
// enough, else with one for no single state, which holds even if the object changes back. Without this the change would be lost, as in
// Kopf.
func (p *planner) settle(kept map[string]*record.Record) (map[string]*record.Record, map[string]any) {
	if p.Reason == kopf.ReasonDelete {
		return nil, nil
	}
	tales := p.tales(kept)
	open := map[string]*record.Record{}
	missing := false
	for _, h := range p.Handlers {
		if !h.On.follows() {
			continue
		}
		r := kept[h.ID]
		switch {
		case p.misses(h, r, tales):
			missing = true
			r = started(kopf.ReasonUpdate, p.Time)
			r.Seen = record.NoSingleState
		case r == nil:
			continue
		case p.finishedOnce(h.ID) && r.Seen != p.now.digest(h.Field):
			missing = true
		}
		r.Purpose = kopf.ReasonUpdate
		open[h.ID] = r
	}
	if missing {
		return p.withChildren(open), p.before(tales)
	}
	if p.Base != nil && essence.Equal(p.Base, p.Essence) {
		return nil, nil
	}
	return nil, p.Essence
}

// tales returns what handlers that do not follow changes, and their sub-handlers, have finished for.
func (p *planner) tales(kept map[string]*record.Record) []tale {
	var tales []tale
	for _, c := range p.chosen {
		if c.role.follows() {
			continue
		}
		for _, id := range append([]string{p.Handlers[c.index].ID}, c.record.Subrefs...) {
			if r := kept[id]; r != nil && r.Finished() && r.Seen != "" {
				tales = append(tales, tale{digest: whole(r), state: newSnapshot(p.base(r)), at: r.Stopped})
			}
		}
	}
	return tales
}

// finishedOnce tells whether a handler was chosen in a role in which it does not follow changes.
func (p *planner) finishedOnce(id string) bool {
	return slices.ContainsFunc(p.chosen, func(c choice) bool { return p.Handlers[c.index].ID == id && !c.role.follows() })
}

// misses tells whether, with the record that it has, a handler might not be told of a change to what it looks at since one of the tales.
func (p *planner) misses(h Handler, r *record.Record, tales []tale) bool {
	return slices.ContainsFunc(tales, func(t tale) bool {
		switch {
		case r == nil:
			return t.state.essence == nil || !p.now.equals(t.state.essence, h.Field)
		case !r.Stopped.Before(t.at), whole(r) == t.digest:
			return false
		}
		return t.state.essence == nil || t.state.digest(h.Field) != r.Seen
	})
}

// before returns the essence of the latest tale of an earlier state, or an empty one if it is no longer in memory. Without such a tale it
// is the state at hand: the only handlers left to tell are those whose filters keep them from it, and they are asked once more.
func (p *planner) before(tales []tale) map[string]any {
	tales = slices.DeleteFunc(tales, func(t tale) bool { return t.digest == p.now.digest(nil) })
	if len(tales) == 0 {
		return p.Essence
	}
	latest := slices.MaxFunc(tales, func(a, b tale) int { return a.at.Compare(b.at) })
	if latest.state.essence == nil {
		return map[string]any{}
	}
	return latest.state.essence
}
