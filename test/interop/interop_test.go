// Package interop has real Kopf and this runtime take over objects from each other, half-handled, under the same handler ids.
package interop

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/exampletest"
	"github.com/kopfgen/kopfgen/test/harness"
)

func TestMain(m *testing.M) {
	harness.Parallel(10)
	os.Exit(harness.Main(m, nil))
}

// The names of the processes.
const (
	first = "first"
	then  = "then"
	last  = "last"
)

// pause is the delay of an attempt during which one process is replaced by the other.
const pause = 3 * time.Second

// takeover is one object that a process leaves half-handled, and another one finishes.
type takeover struct {
	operator harness.Operator
	// object is what is handled, in YAML, without apiVersion, kind and name.
	object string
	// change is a merge patch in YAML that is made once the creation is handled.
	change string
	// remove asks for the deletion once the creation is handled.
	remove bool
	// answer tells the handlers what to do.
	answer func(harness.Call) harness.Answer
	// leave is the state that the first process leaves behind. Results are part of it, since they are written after the progress: those
	// of a process that is killed in between are lost, with either peer.
	leave string
	// first and then are the calls of the two processes, in any order, as "handler retry".
	first, then []string
	// ignore has handlers whose calls are not compared: parents are called once per round, and the peers' rounds differ.
	ignore []string
	// done is the state at the end; the object must be gone if it is empty.
	done string
	// gently has the first process also be stopped in good order; otherwise it is only killed.
	gently bool
	// unlike tells that Kopf does not cope with it.
	unlike bool
	// check looks further into the calls of the second process, if it is set.
	check func(t *testing.T, calls []harness.Call)
}

func TestTakeover(t *testing.T) {
	for name, test := range takeovers {
		for _, peer := range []harness.Peer{harness.Kopf, harness.Kopfgen} {
			t.Run(name+" from "+string(peer)+" killed", func(t *testing.T) {
				t.Parallel()
				test.run(t, peer, (*harness.Process).Kill)
			})
			if !test.gently {
				continue
			}
			t.Run(name+" from "+string(peer)+" stopped", func(t *testing.T) {
				t.Parallel()
				test.run(t, peer, (*harness.Process).Stop)
			})
		}
	}
}

// TestInheritance has each peer finish objects whose progress stems from older versions, or from processes that ended long ago.
func TestInheritance(t *testing.T) {
	for name, test := range inheritances {
		for _, peer := range []harness.Peer{harness.Kopf, harness.Kopfgen} {
			if test.unlike && peer == harness.Kopf {
				continue
			}
			t.Run(name+" for "+string(peer), func(t *testing.T) {
				t.Parallel()
				test.begin(t).finish(t, test, peer)
			})
		}
	}
}

// play is a takeover that is on.
type play struct {
	stage    *exampletest.Stage
	object   *exampletest.Object
	prompter *harness.Prompter
}

func (test takeover) begin(t *testing.T) play {
	stage := exampletest.NewFor(t, "../harness/crd/*.yaml")
	return play{
		stage:  stage,
		object: stage.Manifest(manifest(test.operator.Resource, "subject", test.object))["subject"],
		prompter: harness.NewPrompter(t, func(c harness.Call) harness.Answer {
			if c.Run == last {
				return harness.Answer{}
			}
			return test.answer(c)
		}),
	}
}

func (p play) config(t *testing.T, run string) harness.Config {
	return harness.Config{
		Run: run, Kubeconfig: controlplane.Shared(t).Kubeconfig(), Namespace: p.stage.Namespace(), Prompter: p.prompter,
	}
}

func (test takeover) run(t *testing.T, peer harness.Peer, end func(*harness.Process)) {
	p := test.begin(t)
	process := test.operator.Start(t, peer, p.config(t, first))
	if test.change != "" || test.remove {
		p.object.Until("it is created", "{handled: {}, progress: null}")
	}
	switch {
	case test.change != "":
		p.object.Patch(test.change)
	case test.remove:
		p.object.Delete()
	}
	p.object.Until("it is half-handled", test.leave)
	end(process)
	test.compare(t, first, test.first, p.prompter)
	p.finish(t, test, peer.Other())
}

// finish has the peer do what is left to do, and makes sure that the other one has nothing to do then.
func (p play) finish(t *testing.T, test takeover, peer harness.Peer) {
	process := test.operator.Start(t, peer, p.config(t, then))
	if test.done == "" {
		p.object.UntilGone()
	} else {
		p.object.Until("it is handled", test.done)
	}
	process.Stop()
	test.compare(t, then, test.then, p.prompter)
	test.checkDelays(t, p.prompter.Calls("", "subject"))
	if test.check != nil {
		test.check(t, p.prompter.Calls(then, "subject"))
	}
	if test.done != "" {
		checkRest(t, test.operator, peer.Other(), p.stage, p.config(t, last))
	}
}

// manifest completes an object in YAML's flow style.
func manifest(r harness.Resource, name, object string) string {
	named := strings.Replace(object, "{metadata: {", "metadata: {name: "+name+", ", 1)
	return "{apiVersion: " + r.APIVersion() + ", kind: " + r.Kind + ", " + strings.ReplaceAll(named, "\n\t\t\t", " ")
}

// compare compares the calls of a process with those expected.
func (test takeover) compare(t *testing.T, run string, want []string, p *harness.Prompter) {
	t.Helper()
	calls := slices.DeleteFunc(p.Calls(run, "subject"), func(c harness.Call) bool { return slices.Contains(test.ignore, c.Handler) })
	got := harness.Lines(calls)
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls of the %s process (-want +got):\n%s", run, diff)
	}
}

// checkDelays makes sure that no handler was called before its delay was over, whichever process had set it.
func (test takeover) checkDelays(t *testing.T, calls []harness.Call) {
	t.Helper()
	latest := map[string]harness.Call{}
	for _, c := range calls {
		if before, ok := latest[c.Handler]; ok {
			delay := time.Duration(test.answer(before).Delay * float64(time.Second))
			if passed := c.At.Sub(before.At); passed < delay {
				t.Errorf("%s was called again by %s after %v, not %v", c.Handler, c.Run, passed, delay)
			}
		}
		latest[c.Handler] = c
	}
}

// checkRest makes sure that a handled object means nothing to do for the peer: it looks at the object, which its resume handler tells,
// and writes nothing. To know when it is done with looking, it is given another object afterwards.
func checkRest(t *testing.T, o harness.Operator, peer harness.Peer, stage *exampletest.Stage, c harness.Config) {
	t.Helper()
	proxy := harness.NewProxy(t, controlplane.Shared(t).Config())
	c.Kubeconfig = proxy.Kubeconfig()
	watchful := harness.Operator{Resource: o.Resource, Handlers: []harness.Handler{{On: "resume", ID: "look"}}}
	for _, h := range o.Handlers {
		if h.On != "resume" {
			watchful = watchful.With(h)
		}
	}
	process := watchful.Start(t, peer, c)
	c.Prompter.Until(last, "look", "subject")
	marker := stage.Manifest(manifest(o.Resource, "marker", "{metadata: {}, spec: {}}"))["marker"]
	marker.Until("it is handled", "{handled: {}, progress: null}")
	process.Stop()
	if writes := proxy.Writes("subject"); len(writes) > 0 {
		t.Errorf("%s wrote to an object that was handled: %q %q", peer, harness.Kinds(writes), writes[0].Body)
	}
	if calls := c.Prompter.Calls(last, "subject"); len(calls) != 1 {
		t.Errorf("%s called handlers of an object that was handled: %q", peer, harness.Lines(calls))
	}
}
