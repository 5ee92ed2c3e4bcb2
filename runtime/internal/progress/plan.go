package progress

import (
	"fmt"
	"maps"
	"slices"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

// Plan says which handlers are due for a state, and what to store if nothing more is done about it. It changes nothing that it is given.
func Plan(s State) (Outlook, error) {
	p := planner{State: s, last: newSnapshot(s.Base), now: newSnapshot(s.Essence)}
	p.wake()
	if p.Reason == "" {
		return Outlook{}, nil
	}
	for _, markers := range p.byID() {
		if err := p.choose(markers); err != nil {
			return Outlook{}, err
		}
	}
	return p.outlook(), nil
}

// planner works out one outlook.
type planner struct {
	State
	last, now snapshot
	chosen    []choice
}

// choice is a handler that was selected, in which role and compared with what.
type choice struct {
	index  int
	role   Kind
	old    map[string]any
	record *record.Record
}

// wake finds the reason in open records although the state is the one that was handled last: if a change was taken back while handlers were
// told of it, they have to be told that, too. Kopf leaves such records lying.
func (p *planner) wake() {
	if p.Reason != "" && p.Reason != kopf.ReasonResume {
		return
	}
	for _, h := range p.Handlers {
		switch r := p.Records[h.ID]; {
		case r == nil:
		case r.Purpose != kopf.ReasonResume:
			p.Reason = kopf.ReasonUpdate
			return
		default:
			p.Reason = kopf.ReasonResume
		}
	}
}

// byID returns the indexes of handlers grouped by ID, in the order of the first of each group.
func (p *planner) byID() [][]int {
	var groups [][]int
	group := map[string]int{}
	for i, h := range p.Handlers {
		g, ok := group[h.ID]
		if !ok {
			g = len(groups)
			group[h.ID] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// choose selects the first of the markers of a handler that is concerned, in the first role in which it is.
func (p *planner) choose(markers []int) error {
	for _, i := range markers {
		for _, role := range p.roles(p.Handlers[i]) {
			c, err := p.judge(p.Handlers[i], role)
			if err != nil {
				return fmt.Errorf("filters of handler %q: %w", p.Handlers[i].ID, err)
			}
			if c != nil {
				c.index = i
				p.chosen = append(p.chosen, *c)
				return nil
			}
		}
	}
	return nil
}

// roles returns the kinds that a handler could be called as. As in Kopf, field handlers are called for changes of any reason, and resume
// handlers are mixed into the update of an object that changed while nobody looked, but never into a creation.
func (p *planner) roles(h Handler) []Kind {
	var could []Kind
	switch p.Reason {
	case kopf.ReasonCreate:
		could = []Kind{Create, Field}
	case kopf.ReasonUpdate:
		could = []Kind{Update, Field, Resume}
	case kopf.ReasonDelete:
		could = []Kind{Delete, Field, Resume}
	case kopf.ReasonResume:
		could = []Kind{Resume}
	}
	return slices.DeleteFunc(could, func(k Kind) bool { return !h.On.Has(k) || k == Resume && !p.resumes(h) })
}

// resumes tells whether a resume handler may be selected. One that has begun goes on even if the object is no longer as it was found.
func (p *planner) resumes(h Handler) bool {
	if p.Reason == kopf.ReasonDelete && !h.Deleted {
		return false
	}
	r := p.Records[h.ID]
	return p.Initial || r != nil && (r.Purpose == kopf.ReasonResume || !h.On.follows())
}

// judge returns the handler in a role as a choice, or nil if it is not concerned.
func (p *planner) judge(h Handler, role Kind) (*choice, error) {
	r := p.adopted(h, role)
	c := &choice{role: role, old: p.base(r), record: r}
	unchanged := func() bool { return role.follows() && p.now.equals(c.old, h.Field) }
	switch {
	case r == nil:
		if unchanged() {
			return nil, nil
		}
		c.record = started(p.Reason, p.Time)
	case r.Finished():
		if !role.follows() || r.Seen == p.now.digest(h.Field) {
			return c, nil
		}
		c.record = reopened(r, p.Reason, p.Time)
	case r.Seen == "" && !(Tried(r) && p.sticks(r)) && unchanged():
		return nil, nil
	case p.sticks(r) && (r.Seen != record.NoSingleState || Tried(r)):
		return c, nil
	}
	ok, err := h.Match(c.old)
	if !ok || err != nil {
		return nil, err
	}
	return c, nil
}

// adopted returns a copy of the handler's record, as far as it counts, under the reason at hand.
func (p *planner) adopted(h Handler, role Kind) *record.Record {
	r := dated(p.Records[h.ID], p.Time)
	if r == nil {
		return nil
	}
	if role == Delete && r.Purpose != p.Reason && r.Purpose != "" {
		// In Kopf, the success of a creation counts for the deletion if both have one id, and the deletion is never handled.
		return reset(r, p.Reason, p.Time)
	}
	if r.Finished() && r.Seen == "" {
		// Kopf's own record counts for the current state. One of a resume handler was made while nothing had changed.
		state := p.now
		if r.Purpose == kopf.ReasonResume && p.Base != nil {
			state = p.last
		}
		bind(r, state.digest(h.Field), state.digest(nil))
	}
	if role.follows() && !r.Finished() && !Tried(r) && r.Seen == p.now.digest(h.Field) {
		// It became due again, and before it was called the change was taken back.
		r.Success, r.Stopped = true, r.Started
	}
	return r
}

// base returns what a handler is compared with, nil if that is nothing or not known.
func (p *planner) base(r *record.Record) map[string]any {
	digest := whole(r)
	switch {
	case digest == "":
		return p.Base
	case digest == p.now.digest(nil):
		return p.Essence
	case p.Base != nil && digest == p.last.digest(nil):
		return p.Base
	}
	return p.Memory.find(digest)
}

// sticks tells whether an open record keeps its handler selected whatever its filters say by now. A deletion ends what other reasons began.
func (p *planner) sticks(r *record.Record) bool {
	return p.Reason != kopf.ReasonDelete || r.Purpose == kopf.ReasonDelete || r.Purpose == ""
}

// outlook sums up the choices.
func (p *planner) outlook() Outlook {
	o := Outlook{Reason: p.Reason, Superseded: p.superseded(), Records: p.remaining()}
	for _, c := range p.chosen {
		switch r := c.record; {
		case r.Success:
			o.Succeeded++
		case r.Failure:
			o.Failed++
		default:
			o.Due = append(o.Due, Due{Index: c.index, Role: c.role, Old: c.old, Record: r})
		}
	}
	if len(o.Due) == 0 {
		o.Complete = true
		o.Records, o.Base = p.settle(o.Records)
	}
	return o
}

// superseded returns the reasons of records that were made for another one.
func (p *planner) superseded() []kopf.Reason {
	reasons := map[kopf.Reason]bool{}
	for _, h := range p.Handlers {
		if r := p.Records[h.ID]; r != nil && r.Purpose != "" && r.Purpose != p.Reason {
			reasons[r.Purpose] = true
		}
	}
	return slices.Sorted(maps.Keys(reasons))
}

// remaining returns the records to keep while handlers are due: those of the chosen ones, now under this reason, and those that have
// finished for it and are not concerned at the moment.
func (p *planner) remaining() map[string]*record.Record {
	kept := map[string]*record.Record{}
	for _, h := range p.Handlers {
		if r := p.Records[h.ID]; r != nil && r.Finished() && r.Purpose == p.Reason {
			kept[h.ID] = r.Clone()
		}
	}
	for _, c := range p.chosen {
		c.record.Purpose = p.Reason
		kept[p.Handlers[c.index].ID] = c.record
	}
	return p.withChildren(kept)
}

// withChildren adds the records of the sub-handlers.
func (p *planner) withChildren(kept map[string]*record.Record) map[string]*record.Record {
	for _, r := range slices.Collect(maps.Values(kept)) {
		for _, id := range r.Subrefs {
			if child := p.Records[id]; child != nil {
				kept[id] = child
			}
		}
	}
	return kept
}
