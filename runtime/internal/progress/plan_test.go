package progress

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

var (
	noon   = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	fieldA = []string{"a"}
)

// state is an essence with the field a.
func state(a int64) map[string]any { return map[string]any{"a": a, "b": int64(0)} }

// bound returns a record that finished for a state at a time.
func bound(reason kopf.Reason, field []string, state map[string]any, at time.Time) *record.Record {
	r := &record.Record{Started: noon.Add(-time.Hour), Stopped: at, Purpose: reason, Retries: 1, Success: true}
	s := newSnapshot(state)
	bind(r, s.digest(field), s.digest(nil))
	return r
}

// open returns a record that was tried so often.
func open(reason kopf.Reason, retries int) *record.Record {
	return &record.Record{Started: noon.Add(-time.Hour), Purpose: reason, Retries: retries}
}

// starred returns a record for no single state.
func starred() *record.Record {
	r := open(kopf.ReasonUpdate, 0)
	r.Seen = record.NoSingleState
	return r
}

func refuse(map[string]any) (bool, error) { return false, nil }

// plan runs Plan, which must not change what it is given.
func plan(t *testing.T, s State) Outlook {
	t.Helper()
	before := map[string]*record.Record{}
	for id, r := range s.Records {
		before[id] = r.Clone()
	}
	for i := range s.Handlers {
		if s.Handlers[i].Match == nil {
			s.Handlers[i].Match = anything
		}
	}
	s.Time = noon
	o, err := Plan(s)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, stored(s.Records)); d != "" && len(before)+len(s.Records) > 0 {
		t.Errorf("the records that were given are changed: %s", d)
	}
	return o
}

// due returns the ids of the due handlers.
func due(s State, o Outlook) []string {
	var ids []string
	for _, d := range o.Due {
		ids = append(ids, s.Handlers[d.Index].ID)
	}
	return ids
}

func TestRoles(t *testing.T) {
	handlers := []Handler{
		{ID: "create", On: Create}, {ID: "update", On: Update}, {ID: "delete", On: Delete}, {ID: "resume", On: Resume},
		{ID: "field", On: Field, Field: fieldA}, {ID: "other", On: Field, Field: []string{"b"}},
		{ID: "resumeDeleted", On: Resume, Deleted: true}, {ID: "all", On: Create | Update | Delete | Resume | Field},
	}
	for _, c := range []struct {
		reason  kopf.Reason
		initial bool
		base    map[string]any
		want    string
	}{
		{kopf.ReasonCreate, false, nil, "create field other all"},
		{kopf.ReasonUpdate, false, state(0), "update field all"},
		{kopf.ReasonUpdate, true, state(0), "update resume field resumeDeleted all"},
		{kopf.ReasonResume, true, state(1), "resume resumeDeleted all"},
		{kopf.ReasonDelete, false, state(0), "delete field all"},
		{kopf.ReasonDelete, false, state(1), "delete all"},
		{kopf.ReasonDelete, true, state(1), "delete resumeDeleted all"},
		{"", false, state(1), ""},
	} {
		s := State{Reason: c.reason, Initial: c.initial, Base: c.base, Essence: state(1), Handlers: handlers}
		o := plan(t, s)
		if got := strings.Join(due(s, o), " "); got != c.want {
			t.Errorf("%s, initial %v, before %v: %s, want %s", c.reason, c.initial, c.base, got, c.want)
		}
		for _, d := range o.Due {
			if !cmp.Equal(d.Old, c.base) || d.Record.Purpose != c.reason || !d.Record.Started.Equal(noon) {
				t.Errorf("%s: %+v", c.reason, d)
			}
			if o.Records[handlers[d.Index].ID] != d.Record {
				t.Errorf("%s: the record of %s is not kept", c.reason, handlers[d.Index].ID)
			}
		}
	}
}

// One handler on the field a, which was 0 when the object was handled last.
func TestOneHandler(t *testing.T) {
	update, create, remove := Handler{ID: "h", On: Update, Field: fieldA}, Handler{ID: "h", On: Create}, Handler{ID: "h", On: Create | Delete}
	reopen := bound(kopf.ReasonUpdate, fieldA, state(1), noon)
	reopen.Success, reopen.Retries, reopen.Stopped = false, 0, time.Time{}
	kopfs := &record.Record{Purpose: kopf.ReasonUpdate, Success: true}
	resumed := &record.Record{Purpose: kopf.ReasonResume, Success: true}
	waited := open(kopf.ReasonUpdate, 0)
	waited.Delayed = noon
	refused := update
	refused.Match = refuse

	for name, c := range map[string]struct {
		handler Handler
		reason  kopf.Reason
		now     int64
		record  *record.Record
		// due tells that it must be called, old what was before; retries are those of the record it goes on from.
		due     bool
		old     any
		retries int
	}{
		"changed":                                    {update, kopf.ReasonUpdate, 1, nil, true, int64(0), 0},
		"changed, but filtered":                      {refused, kopf.ReasonUpdate, 1, nil, false, nil, 0},
		"goes on":                                    {update, kopf.ReasonUpdate, 2, open(kopf.ReasonUpdate, 3), true, int64(0), 3},
		"goes on, although filtered":                 {refused, kopf.ReasonUpdate, 2, open(kopf.ReasonUpdate, 3), true, int64(0), 3},
		"goes on, although taken back":               {update, "", 0, open(kopf.ReasonUpdate, 3), true, int64(0), 3},
		"goes on from waiting, although taken back":  {update, "", 0, waited, true, int64(0), 0},
		"taken back before it was called":            {update, "", 0, open(kopf.ReasonUpdate, 0), false, nil, 0},
		"finished":                                   {update, kopf.ReasonUpdate, 1, bound(kopf.ReasonUpdate, fieldA, state(1), noon), false, nil, 0},
		"changed since it finished":                  {update, kopf.ReasonUpdate, 2, bound(kopf.ReasonUpdate, fieldA, state(1), noon), true, nil, 0},
		"changed since it finished, but filtered":    {refused, kopf.ReasonUpdate, 2, bound(kopf.ReasonUpdate, fieldA, state(1), noon), false, nil, 0},
		"taken back since it finished":               {update, "", 0, bound(kopf.ReasonUpdate, fieldA, state(1), noon), true, nil, 0},
		"due again":                                  {update, kopf.ReasonUpdate, 2, reopen, true, nil, 0},
		"due again, although filtered":               {refused, kopf.ReasonUpdate, 2, reopen, true, nil, 0},
		"due again, and back where it was":           {update, kopf.ReasonUpdate, 1, reopen, false, nil, 0},
		"no single state":                            {update, kopf.ReasonUpdate, 0, starred(), true, int64(0), 0},
		"no single state, but filtered":              {refused, kopf.ReasonUpdate, 0, starred(), false, nil, 0},
		"finished in Kopf":                           {update, kopf.ReasonUpdate, 1, kopfs, false, nil, 0},
		"finished in Kopf, when nothing had changed": {Handler{ID: "h", On: Update | Resume, Field: fieldA}, kopf.ReasonUpdate, 1, resumed, true, int64(0), 0},
		"resuming counts for the update":             {Handler{ID: "h", On: Update | Resume}, kopf.ReasonUpdate, 1, open(kopf.ReasonResume, 2), true, state(0), 2},
		"creation finished":                          {create, kopf.ReasonCreate, 2, bound(kopf.ReasonCreate, nil, state(1), noon), false, nil, 0},
		"creation goes on":                           {create, kopf.ReasonCreate, 2, open(kopf.ReasonCreate, 4), true, map[string]any(nil), 4},
		"deletion after a creation":                  {remove, kopf.ReasonDelete, 0, bound(kopf.ReasonCreate, nil, state(0), noon), true, state(0), 0},
		"deletion after a part of a creation":        {remove, kopf.ReasonDelete, 0, open(kopf.ReasonCreate, 5), true, state(0), 0},
		"deletion goes on":                           {remove, kopf.ReasonDelete, 0, open(kopf.ReasonDelete, 5), true, state(0), 5},
		"deletion finished":                          {remove, kopf.ReasonDelete, 1, bound(kopf.ReasonDelete, nil, state(0), noon), false, nil, 0},
		"deletion, of an unknown purpose":            {remove, kopf.ReasonDelete, 0, open("", 5), true, state(0), 5},
		"deletion drops an update":                   {update, kopf.ReasonDelete, 1, open(kopf.ReasonUpdate, 3), false, nil, 0},
		"deletion takes a field over":                {Handler{ID: "h", On: Field, Field: fieldA}, kopf.ReasonDelete, 1, open(kopf.ReasonUpdate, 3), true, int64(0), 3},
		"deletion, and the field is as it was":       {Handler{ID: "h", On: Field, Field: fieldA}, kopf.ReasonDelete, 0, open(kopf.ReasonUpdate, 3), false, nil, 0},
		"deletion, filtered field":                   {Handler{ID: "h", On: Field, Field: fieldA, Match: refuse}, kopf.ReasonDelete, 1, open(kopf.ReasonUpdate, 3), false, nil, 0},
		"resuming goes on later":                     {Handler{ID: "h", On: Resume}, "", 0, open(kopf.ReasonResume, 1), true, state(0), 1},
		"a record of nobody's business":              {create, "", 0, open(kopf.ReasonCreate, 1), false, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{Reason: c.reason, Base: state(0), Essence: state(c.now), Handlers: []Handler{c.handler}}
			if c.reason == kopf.ReasonCreate {
				s.Base = nil
			}
			if c.record != nil {
				s.Records = map[string]*record.Record{"h": c.record}
			}
			o := plan(t, s)
			if len(o.Due) > 0 != c.due || o.Complete == c.due {
				t.Fatalf("%+v", o)
			}
			if !c.due {
				if len(o.Records) > 0 {
					t.Errorf("records are left: %v", o.Records)
				}
				return
			}
			d := o.Due[0]
			if got := newSnapshot(d.Old).at(c.handler.Field); !cmp.Equal(got, c.old) || d.Record.Retries != c.retries || d.Record.Purpose != o.Reason {
				t.Errorf("old %v, record %+v", got, d.Record)
			}
			if c.record != nil && c.record.Finished() && o.Reason == kopf.ReasonUpdate && d.Record.Seen != c.record.Seen && c.record.Seen != "" {
				t.Errorf("what it had finished for is forgotten: %+v", d.Record)
			}
		})
	}
}

// The state that a handler finished for is its base, as long as it is known.
func TestBase(t *testing.T) {
	s := State{
		Reason: kopf.ReasonUpdate, Base: state(0), Essence: state(2), Memory: new(Memory), Handlers: []Handler{{ID: "h", On: Update}},
		Records: map[string]*record.Record{"h": bound(kopf.ReasonUpdate, nil, state(1), noon)},
	}
	if o := plan(t, s); o.Due[0].Old != nil {
		t.Errorf("from nowhere: %v", o.Due[0].Old)
	}
	s.Memory.Keep(state(1))
	if o := plan(t, s); !cmp.Equal(o.Due[0].Old, state(1)) {
		t.Errorf("from memory: %v", o.Due[0].Old)
	}
	s.Records["h"] = bound(kopf.ReasonUpdate, nil, state(0), noon)
	if o := plan(t, s); !cmp.Equal(o.Due[0].Old, state(0)) {
		t.Errorf("from the last handled state: %v", o.Due[0].Old)
	}
}

func TestMemory(t *testing.T) {
	var none *Memory
	if none.find("x") != nil {
		t.Error("no memory remembers")
	}
	var m Memory
	for _, a := range []int64{1, 2, 3, 4, 1, 5} {
		m.Keep(state(a))
	}
	for a, want := range map[int64]bool{1: true, 2: false, 3: true, 4: true, 5: true} {
		if got := m.find(essence.Digest(state(a))) != nil; got != want {
			t.Errorf("%d is known: %v", a, got)
		}
	}
}

func TestSuperseding(t *testing.T) {
	s := State{
		Reason: kopf.ReasonDelete, Essence: state(0),
		Handlers: []Handler{{ID: "c", On: Create}, {ID: "d", On: Delete}, {ID: "f", On: Field, Field: fieldA}},
		Records: map[string]*record.Record{
			"c": bound(kopf.ReasonCreate, nil, state(0), noon), "c/sub": open(kopf.ReasonCreate, 1),
			"f": bound(kopf.ReasonCreate, fieldA, state(0), noon), "f/sub": bound(kopf.ReasonCreate, nil, state(0), noon),
		},
	}
	s.Records["c"].AddSubrefs("c/sub")
	s.Records["f"].AddSubrefs("f/sub")
	o := plan(t, s)
	if d := cmp.Diff([]kopf.Reason{kopf.ReasonCreate}, o.Superseded); d != "" {
		t.Error(d)
	}
	if got := strings.Join(due(s, o), " "); got != "d" || o.Succeeded != 1 {
		t.Errorf("due %s, %+v", got, o)
	}
	// What is selected goes on under the new reason, with its sub-handlers; the rest goes.
	if len(o.Records) != 3 || o.Records["f"].Purpose != kopf.ReasonDelete || o.Records["f/sub"] == nil || o.Records["d"] == nil {
		t.Errorf("%v", o.Records)
	}
}

func TestCompletion(t *testing.T) {
	failure := bound(kopf.ReasonUpdate, nil, state(1), noon)
	failure.Success, failure.Failure = false, true
	s := State{
		Reason: kopf.ReasonUpdate, Base: state(0), Essence: state(1),
		Handlers: []Handler{{ID: "x", On: Update}, {ID: "y", On: Update}, {ID: "z", On: Update}},
		Records:  map[string]*record.Record{"x": bound(kopf.ReasonUpdate, nil, state(1), noon), "y": failure},
	}
	if o := plan(t, s); o.Complete || o.Base != nil || o.Succeeded != 1 || o.Failed != 1 || len(o.Records) != 3 {
		t.Errorf("%+v", o)
	}
	s.Handlers = s.Handlers[:2]
	if o := plan(t, s); !o.Complete || !cmp.Equal(o.Base, state(1)) || len(o.Records) != 0 || o.Failed != 1 {
		t.Errorf("%+v", o)
	}
	// A deletion writes the state only if it has changed.
	s = State{Reason: kopf.ReasonDelete, Base: state(1), Essence: state(1)}
	if o := plan(t, s); !o.Complete || o.Base != nil {
		t.Errorf("%+v", o)
	}
}

// Handlers of one creation were told of different states; the state at hand is 2, and the two fields are a and b.
func TestMixed(t *testing.T) {
	handlers := []Handler{
		{ID: "first", On: Create}, {ID: "second", On: Create},
		{ID: "u", On: Update}, {ID: "a", On: Field, Field: fieldA}, {ID: "b", On: Update, Field: []string{"b"}},
	}
	told := func(first, second int64, a *record.Record) State {
		s := State{Reason: kopf.ReasonCreate, Essence: state(2), Handlers: handlers, Memory: new(Memory), Records: map[string]*record.Record{
			"first":  bound(kopf.ReasonCreate, nil, state(first), noon.Add(1)),
			"second": bound(kopf.ReasonCreate, nil, state(second), noon.Add(2)),
			"a":      a,
		}}
		return s
	}
	earlier, later := bound(kopf.ReasonCreate, fieldA, state(2), noon), bound(kopf.ReasonCreate, fieldA, state(2), noon.Add(3))
	for name, c := range map[string]struct {
		state     State
		forgotten bool
		base      map[string]any
		// records say what is left: * for no single state.
		records map[string]string
	}{
		"all of one state":                       {told(2, 2, later), false, state(2), map[string]string{}},
		"the first of another":                   {told(1, 2, later), false, state(1), map[string]string{"u": "*", "a": "done"}},
		"the last of another":                    {told(2, 1, later), false, state(1), map[string]string{"u": "*", "a": "done"}},
		"both of others":                         {told(0, 1, later), false, state(1), map[string]string{"u": "*", "a": "done"}},
		"the field was told before":              {told(1, 2, earlier), false, state(1), map[string]string{"u": "*", "a": "*"}},
		"the field was told before the last one": {told(1, 1, bound(kopf.ReasonCreate, fieldA, state(2), noon.Add(1))), false, state(1), map[string]string{"u": "*", "a": "*"}},
		"the state is forgotten":                 {told(1, 2, later), true, map[string]any{}, map[string]string{"u": "*", "a": "done", "b": "*"}},
	} {
		t.Run(name, func(t *testing.T) {
			if !c.forgotten {
				c.state.Memory.Keep(state(0))
				c.state.Memory.Keep(state(1))
			}
			o := plan(t, c.state)
			if !o.Complete || !cmp.Equal(o.Base, c.base) {
				t.Errorf("%+v", o)
			}
			got := map[string]string{}
			for id, r := range o.Records {
				got[id] = r.Seen
				if r.Finished() {
					got[id] = "done"
				}
				if r.Purpose != kopf.ReasonUpdate {
					t.Errorf("%s is for %s", id, r.Purpose)
				}
			}
			if d := cmp.Diff(c.records, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// A deletion is the last thing to be told: what a handler misses of a change that came after it was called is told to nobody.
func TestADeletionLeavesNothingToTell(t *testing.T) {
	o := plan(t, State{
		Reason: kopf.ReasonDelete, Base: state(0), Essence: state(2),
		// One function with two markers, called before the object changed again.
		Handlers: []Handler{{ID: "both", On: Update}, {ID: "both", On: Delete}, {ID: "late", On: Delete}},
		Records: map[string]*record.Record{
			"both": bound(kopf.ReasonDelete, nil, state(1), noon),
			"late": bound(kopf.ReasonDelete, nil, state(2), noon.Add(1)),
		},
	})
	if !o.Complete || len(o.Records) > 0 {
		t.Errorf("%+v", o)
	}
}

// A handler was told of an earlier state, and its filters keep it from the state at hand, which all others were told of: the change between
// the two is not for it.
func TestFiltersAfterAChangeInACreation(t *testing.T) {
	s := State{
		Reason: kopf.ReasonCreate, Essence: state(2),
		Handlers: []Handler{{ID: "made", On: Create}, {ID: "field", On: Field, Field: fieldA, Match: refuse}},
		Records: map[string]*record.Record{
			"made":  bound(kopf.ReasonCreate, nil, state(2), noon.Add(1)),
			"field": bound(kopf.ReasonCreate, fieldA, state(1), noon),
		},
	}
	o := plan(t, s)
	if !o.Complete || !cmp.Equal(o.Base, state(2)) {
		t.Fatalf("%+v", o)
	}
	s.Reason, s.Base, s.Records = "", o.Base, o.Records
	if o := plan(t, s); !o.Complete || len(o.Records) > 0 || o.Base != nil {
		t.Errorf("%+v", o)
	}
}

func TestFiltersThatFail(t *testing.T) {
	oops := errors.New("oops")
	_, err := Plan(State{Reason: kopf.ReasonCreate, Essence: state(0), Handlers: []Handler{
		{ID: "h", On: Create, Match: func(map[string]any) (bool, error) { return false, oops }},
	}})
	if !errors.Is(err, oops) || !strings.Contains(err.Error(), `"h"`) {
		t.Errorf("error %v", err)
	}
}

func TestChild(t *testing.T) {
	plain := Look{Reason: kopf.ReasonUpdate, Seen: int64(1), Essence: state(1), Time: noon}
	reopening, explicit := plain, plain
	reopening.Reopens, explicit.Explicit = true, true
	finished := func(reason kopf.Reason, seen int64) *record.Record {
		r := &record.Record{Started: noon, Stopped: noon, Purpose: reason, Success: true}
		Bind(r, seen, state(seen))
		return r
	}
	for name, c := range map[string]struct {
		stored  *record.Record
		look    Look
		due     bool
		retries int
	}{
		"new":                               {nil, plain, true, 0},
		"goes on":                           {open(kopf.ReasonUpdate, 2), plain, true, 2},
		"goes on from another reason":       {open(kopf.ReasonResume, 2), plain, true, 2},
		"finished":                          {finished(kopf.ReasonUpdate, 1), reopening, false, 0},
		"finished in Kopf":                  {&record.Record{Success: true}, reopening, false, 0},
		"changed":                           {finished(kopf.ReasonUpdate, 0), reopening, true, 0},
		"changed, but the parent runs once": {finished(kopf.ReasonUpdate, 0), plain, false, 0},
		"changed in its own value":          {finished(kopf.ReasonUpdate, 0), explicit, true, 0},
		"deletion":                          {finished(kopf.ReasonCreate, 1), Look{Reason: kopf.ReasonDelete, Seen: int64(1), Essence: state(1)}, true, 0},
		"deletion goes on":                  {finished(kopf.ReasonDelete, 1), Look{Reason: kopf.ReasonDelete, Seen: int64(1), Essence: state(1)}, false, 0},
	} {
		r := Child(c.stored, c.look)
		if r.Finished() == c.due || r.Retries != c.retries || r.Purpose != c.look.Reason {
			t.Errorf("%s: %+v", name, r)
		}
	}
	// A value that is still the same counts for the state at hand.
	r := finished(kopf.ReasonUpdate, 0)
	r.Seen = essence.Digest(int64(1))
	if got := Child(r, explicit); whole(got) != essence.Digest(state(1)) {
		t.Errorf("%+v", got)
	}
}
