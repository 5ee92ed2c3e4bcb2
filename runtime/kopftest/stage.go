package kopftest

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kopfgen/kopfgen/internal/seen"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// Options say what a stage is made of. The zero value is what [New] takes.
type Options struct {
	// CRDs are the files of the CustomResourceDefinitions, as a pattern of [path/filepath.Match]; config/crd/*.yaml, where kopfgen writes
	// them, unless set. A declared resource without a definition is served without a schema, and with a status sub-resource.
	CRDs string
	// Namespaces are those that the operator serves; with none, it serves all.
	Namespaces []string
	// Settings are those that the operator starts with.
	Settings operator.Settings
}

// Stage is an API server in memory with an operator at work. It lives in the bubble of testing/synctest in which it was made, and ends with
// the test. Its methods are for the goroutine of the test.
type Stage struct {
	t           testing.TB
	options     Options
	definitions []func() operator.Definition
	declared    []operator.Resource
	prefix      string // of the annotations
	server      *apitest.Server
	timeline    *timeline
	faults      *faults

	late sync.Mutex // guards lateness
	// lateness is how long after they happen watches tell events.
	lateness time.Duration

	processes processes
	// explored is set where Explore plays a schedule of disturbances.
	explored *history
}

// New starts an operator, or several, as generated code describes them: kopftest.New(t, Operator). It takes functions because a definition is
// good for one run: each is called once to be looked at, and once for every start. It must be called inside [synctest.Test], with the T of the bubble.
func New(t testing.TB, definitions ...func() operator.Definition) *Stage {
	t.Helper()
	return Options{}.New(t, definitions...)
}

// New is like the function New.
func (o Options) New(t testing.TB, definitions ...func() operator.Definition) *Stage {
	t.Helper()
	if !inBubble() {
		t.Fatal("kopftest.New is for virtual time: call it inside synctest.Test(t, func(t *testing.T) { … })")
	}
	return o.stage(t, nil, definitions)
}

// stage makes the stage of a test, or of one history of an exploration.
func (o Options) stage(t testing.TB, explored *history, definitions []func() operator.Definition) *Stage {
	t.Helper()
	s := &Stage{t: t, explored: explored, options: o, definitions: definitions, prefix: seen.Prefix, timeline: newTimeline(), faults: &faults{}}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("what happened:\n%s", s.Timeline())
		}
	})
	if err := s.serve(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.processes.ended.Wait)
	t.Cleanup(s.Stop)
	s.Start()
	return s
}

// inBubble tells whether time is virtual.
func inBubble() (yes bool) {
	defer func() { yes = recover() == nil }()
	synctest.Wait()
	return true
}

// Advance lets time pass. Everything that is due up to then, and at its end, is done when it returns.
func (s *Stage) Advance(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// Elapsed is the virtual time since the stage was made.
func (s *Stage) Elapsed() time.Duration { return s.timeline.elapsed() }

// Late has watches tell events so long after they happened, from the next event on; 0 is at once.
func (s *Stage) Late(d time.Duration) {
	s.late.Lock()
	defer s.late.Unlock()
	s.timeline.add("test", "events come late by %v", d)
	s.lateness = d
}

// CutWatches breaks the connections of all watches.
func (s *Stage) CutWatches() {
	s.timeline.add("test", "the watches break")
	s.faults.cut(nil)
	synctest.Wait()
}

// Forget has the server forget all events so far, as it does after some minutes: who watches from before has to list again.
func (s *Stage) Forget() {
	s.timeline.add("test", "the server forgets the past")
	s.server.Forget()
	synctest.Wait()
}

// Log returns the lines of the operator's log so far that have all the parts in them. A line is a record in the text format of log/slog,
// without the time, from the level of debugging on; of an object it has the name, as object.name=orders.
func (s *Stage) Log(parts ...string) []string {
	synctest.Wait()
	return s.timeline.lines("log", parts)
}

// Timeline tells what has happened so far, one line each, with the virtual time: what the test did, the requests of the operator and their
// answers, the events of objects with what changed, and the log. A test that fails shows it.
func (s *Stage) Timeline() string { return s.timeline.String() }
