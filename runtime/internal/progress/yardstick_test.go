package progress

import (
	"maps"
	"slices"
	"testing"

	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

// kopfPlan is how Kopf plans: a record belongs to a handler and a reason, whatever state it was made for.
func kopfPlan(s State) (Outlook, error) {
	if s.Reason == "" {
		return Outlook{}, nil
	}
	o := Outlook{Reason: s.Reason, Complete: true, Records: map[string]*record.Record{}}
	p := planner{State: s, now: newSnapshot(s.Essence)}
	others := maps.Clone(s.Records)
	for i, h := range s.Handlers {
		roles := slices.DeleteFunc(p.roles(h), func(k Kind) bool {
			return k.follows() && p.now.equals(s.Base, h.Field) || k == Resume && !s.Initial
		})
		if len(roles) == 0 {
			continue
		}
		r := s.Records[h.ID].Clone()
		if r == nil {
			r = started(s.Reason, s.Time)
		}
		r.Purpose = s.Reason
		o.Records[h.ID] = r
		delete(others, h.ID)
		if !r.Finished() {
			o.Complete = false
			o.Due = append(o.Due, Due{Index: i, Role: roles[0], Old: s.Base, Record: r})
		}
	}
	if o.Complete {
		o.Records, o.Base = nil, s.Essence
		return o, nil
	}
	for id, r := range others {
		if r.Purpose == s.Reason {
			o.Records[id] = r
		}
	}
	return o, nil
}

// What is wrong with Kopf's way must be seen by the model, or the model proves nothing about ours.
func TestKopfLosesChanges(t *testing.T) {
	t.Parallel()
	const histories = 3_000
	for _, crashes := range []bool{false, true} {
		got := run(histories, casts["one marker each"].handlers, kopfPlan, crashes)
		if got.lostRecorded < histories/10 || got.faulty == 0 || got.left == 0 {
			t.Errorf("crashes %v: the model sees too little: %+v", crashes, got)
		}
		t.Logf("crashes %v: changes lost in %d histories, faults in %d, records left in %d, of %d", crashes, got.lost, got.faulty, got.left, histories)
	}
}
