package interop

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/test/harness"
)

// TestAttemptCutOff kills a process in the middle of a handler: the attempt was not recorded, and is made again.
func TestAttemptCutOff(t *testing.T) {
	for _, peer := range []harness.Peer{harness.Kopf, harness.Kopfgen} {
		t.Run("from "+string(peer), func(t *testing.T) {
			t.Parallel()
			killed := make(chan struct{})
			test := takeover{
				operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{{On: "create", ID: "slow"}}},
				object:   "{metadata: {}, spec: {value: 1}}",
				answer: func(c harness.Call) harness.Answer {
					if c.Run == first {
						<-killed
					}
					return harness.Return("done")
				},
				then: []string{"slow 0"},
				done: "{handled: {spec: {value: 1}}, progress: null, status: {slow: done}}",
			}
			p := test.begin(t)
			process := test.operator.Start(t, peer, p.config(t, first))
			p.prompter.Until(first, "slow", "subject")
			process.Kill()
			close(killed)
			p.finish(t, test, peer.Other())
		})
	}
}

// TestChangeWhileDown changes an object for a second time while the first change is half-handled and nobody runs. The handler that is done
// with the first change is called for the second, and the one that is not goes on with its count.
func TestChangeWhileDown(t *testing.T) {
	t.Parallel()
	test := takeover{
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "update", ID: "whole"}, {On: "field", ID: "same", Field: "spec.same"}, {On: "field", ID: "flaky", Field: "spec.value"},
		}},
		object: "{metadata: {}, spec: {value: 1, same: 1}}",
		answer: func(c harness.Call) harness.Answer {
			if c.Handler == "flaky/spec.value" && c.Reason == "update" && c.Run == first {
				return harness.Retry(pause)
			}
			return harness.Answer{}
		},
		then: []string{"whole 0", "flaky/spec.value 1"},
		done: "{handled: {spec: {value: 3, same: 1}}, progress: null}",
		check: func(t *testing.T, calls []harness.Call) {
			for _, c := range calls {
				want := map[string]string{"whole": `{"spec":{"same":1,"value":3}}`, "flaky/spec.value": "3"}[c.Handler]
				if diff := cmp.Diff(want, string(c.New)); diff != "" {
					t.Errorf("the new state for %s (-want +got):\n%s", c.Handler, diff)
				}
			}
		},
	}
	p := test.begin(t)
	process := test.operator.Start(t, harness.Kopfgen, p.config(t, first))
	p.object.Until("it is created", "{handled: {}, progress: null}")
	p.object.Patch("{spec: {value: 2}}")
	p.object.Until("it is half-handled", "{progress: {whole: {success: true}, flaky.spec.value: {retries: 1}}}")
	process.Kill()
	p.object.Patch("{spec: {value: 3}}")
	p.finish(t, test, harness.Kopfgen)
}

// TestDeletedWhileDown deletes an object whose change is half-handled while nobody runs: the deletion takes the place of the change.
func TestDeletedWhileDown(t *testing.T) {
	for _, peer := range []harness.Peer{harness.Kopf, harness.Kopfgen} {
		t.Run("from "+string(peer), func(t *testing.T) {
			t.Parallel()
			test := takeover{
				operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
					{On: "update", ID: "change"}, {On: "update", ID: "sure"}, {On: "delete", ID: "leave"},
				}},
				object: "{metadata: {}, spec: {value: 1}}",
				answer: func(c harness.Call) harness.Answer {
					if c.Handler == "change" {
						return harness.Retry(pause)
					}
					return harness.Answer{}
				},
				then: []string{"leave 0"},
			}
			p := test.begin(t)
			process := test.operator.Start(t, peer, p.config(t, first))
			p.object.Until("it is created", "{handled: {}, progress: null}")
			p.object.Patch("{spec: {value: 2}}")
			p.object.Until("it is half-handled", "{progress: {change: {retries: 1}, sure: {success: true}}}")
			process.Kill()
			p.object.Delete()
			p.finish(t, test, peer.Other())
		})
	}
}
