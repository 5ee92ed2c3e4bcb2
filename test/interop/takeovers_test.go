package interop

import (
	"strings"
	"testing"

	"github.com/kopfgen/kopfgen/test/harness"
)

// finalizer is Kopf's.
const finalizer = "kopf.zalando.org/KopfFinalizerMarker"

// Ids that are too long for one form of the names of annotations, and for both.
const (
	longID    = "create_a_thing_that_takes_a_long_time_to_be_described"
	longestID = "a_very_long_handler_function_name_for_demo"
	longField = "spec.template.metadata.labels"
)

// patient answers that the named handlers of the first process fail as often as is said, the last time with the long pause, and that
// everything else succeeds and returns its name.
func patient(failures map[string]int) func(harness.Call) harness.Answer {
	return func(c harness.Call) harness.Answer {
		switch n := failures[c.Handler]; {
		case c.Retry >= n:
			return harness.Return(c.Handler)
		case c.Retry == n-1:
			return harness.Retry(pause)
		}
		return harness.Retry(pause / 30)
	}
}

var takeovers = map[string]takeover{
	"a limit of attempts": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "create", ID: "sure"}, {On: "create", ID: "flaky", Retries: 4}, {On: "create", ID: "lost"},
		}},
		object: "{metadata: {labels: {a: b}}, spec: {value: 1}}",
		answer: func(c harness.Call) harness.Answer {
			switch {
			case c.Handler == "sure":
				return harness.Return("done")
			case c.Handler == "lost":
				return harness.GiveUp()
			case c.Retry == 1:
				return harness.Retry(pause)
			}
			return harness.Retry(pause / 30)
		},
		gently: true,
		leave:  "{progress: {flaky: {retries: 2}, sure: {success: true}, lost: {failure: true}}, status: {sure: done}}",
		first:  []string{"sure 0", "lost 0", "flaky 0", "flaky 1"},
		then:   []string{"flaky 2", "flaky 3"},
		done:   "{handled: {spec: {value: 1}}, progress: null, status: {sure: done, flaky: null, lost: null}}",
	},
	"no sub-resource for the status": {
		operator: harness.Operator{Resource: harness.Bare, Handlers: []harness.Handler{
			{On: "create", ID: "sure"}, {On: "create", ID: "flaky"},
		}},
		object: "{metadata: {}, spec: {value: 1}}",
		answer: patient(map[string]int{"flaky": 2}),
		leave:  "{progress: {flaky: {retries: 2}, sure: {success: true}}, status: {sure: sure}}",
		first:  []string{"sure 0", "flaky 0", "flaky 1"},
		then:   []string{"flaky 2"},
		done:   "{handled: {spec: {value: 1}}, progress: null, status: {sure: sure, flaky: flaky}}",
	},
	"sub-handlers": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "create", ID: "parent", Field: "spec.items", Retries: 9},
		}},
		object: "{metadata: {}, spec: {items: [one, two, three]}}",
		answer: func(c harness.Call) harness.Answer {
			switch {
			case c.Handler == "parent/spec.items":
				return harness.Answer{Subs: []string{"one", "two", "three"}}
			case strings.HasSuffix(c.Handler, "/two") && c.Run == first:
				return harness.Retry(pause)
			}
			return harness.Return(c.Handler)
		},
		gently: true,
		leave: "{progress: {parent.spec.items.one: {success: true}, parent.spec.items.two: {retries: 1}, " +
			"parent.spec.items.three: {success: true}, parent.spec.items: {success: false}}, " +
			"status: {parent/spec.items/one: parent/spec.items/one, parent/spec.items/three: parent/spec.items/three}}",
		first:  []string{"parent/spec.items/one -1", "parent/spec.items/two -1", "parent/spec.items/three -1"},
		then:   []string{"parent/spec.items/two -1"},
		ignore: []string{"parent/spec.items"},
		done: "{handled: {}, progress: null, status: {parent/spec.items/one: parent/spec.items/one, " +
			"parent/spec.items/two: parent/spec.items/two, parent/spec.items/three: parent/spec.items/three}}",
	},
	"long ids": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "create", ID: longID}, {On: "create", ID: longestID, Field: longField}, {On: "create", ID: "x" + longID},
		}},
		object: "{metadata: {}, spec: {template: {metadata: {labels: {a: b}}}}}",
		answer: patient(map[string]int{longID: 1, longestID + "/" + longField: 2}),
		leave: "{progress: {" + longID + ": {retries: 1}, a_very_long_handler_function_name_for_demo.spec.template-vOUUdw: {retries: 2}, " +
			"a_very_long_handler_function_name_for_d-xnE2xQ: {retries: 2}, x" + longID + ": {success: true}}}",
		first: []string{"x" + longID + " 0", longID + " 0", longestID + "/" + longField + " 0", longestID + "/" + longField + " 1"},
		then:  []string{longID + " 1", longestID + "/" + longField + " 2"},
		done:  "{handled: {}, progress: null, status: {" + longID + ": " + longID + "}}",
	},
	"a field": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "update", ID: "whole"}, {On: "field", ID: "part", Field: "spec.value"}, {On: "field", ID: "other", Field: "spec.other"},
		}},
		object: "{metadata: {}, spec: {value: before, other: same}}",
		change: "{spec: {value: after}}",
		answer: func(c harness.Call) harness.Answer {
			if c.Handler == "part/spec.value" && c.Reason == "update" && c.Retry == 0 {
				return harness.Retry(pause)
			}
			return harness.Answer{}
		},
		leave: "{progress: {whole: {success: true}, part.spec.value: {retries: 1}}}",
		first: []string{"part/spec.value 0", "other/spec.other 0", "whole 0", "part/spec.value 0"},
		then:  []string{"part/spec.value 1"},
		done:  "{handled: {spec: {value: after, other: same}}, progress: null}",
		check: func(t *testing.T, calls []harness.Call) {
			if c := calls[0]; string(c.Old) != `"before"` || string(c.New) != `"after"` {
				t.Errorf("old is %s and new is %s", c.Old, c.New)
			}
		},
	},
	"a deletion": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "create", ID: "come"}, {On: "delete", ID: "sign"}, {On: "delete", ID: "leave"},
		}},
		object: "{metadata: {}, spec: {value: 1}}",
		remove: true,
		answer: patient(map[string]int{"leave": 2}),
		gently: true,
		leave:  "{progress: {sign: {success: true}, leave: {retries: 2}}, metadata: {finalizers: [" + finalizer + "]}}",
		first:  []string{"come 0", "sign 0", "leave 0", "leave 1"},
		then:   []string{"leave 2"},
	},
	"resuming what was changed meanwhile": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "update", ID: "flaky"}, {On: "resume", ID: "wake"}, {On: "update", ID: "sure"},
		}},
		object: "{metadata: {annotations: {kopf.zalando.org/last-handled-configuration: '{\"spec\":{\"value\":1}}'}}, spec: {value: 2}}",
		answer: patient(map[string]int{"flaky": 1}),
		leave:  "{progress: {flaky: {retries: 1}, sure: {success: true}, wake: {success: true}}, status: {sure: sure, wake: wake}}",
		first:  []string{"flaky 0", "sure 0", "wake 0"},
		then:   []string{"flaky 1"},
		done:   "{handled: {spec: {value: 2}}, progress: null, status: {sure: sure, flaky: flaky, wake: wake}}",
	},
	"resuming": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "resume", ID: "wake"}, {On: "resume", ID: "rise"}, {On: "create", ID: "come"}, {On: "update", ID: "change"},
		}},
		object: "{metadata: {annotations: {kopf.zalando.org/last-handled-configuration: '{\"spec\":{\"value\":1}}'}}, spec: {value: 1}}",
		answer: patient(map[string]int{"rise": 1}),
		leave:  "{progress: {wake: {success: true}, rise: {retries: 1, purpose: resume}}, status: {wake: wake}}",
		first:  []string{"wake 0", "rise 0"},
		then:   []string{"rise 1"},
		done:   "{progress: null, status: {wake: wake, rise: rise}}",
	},
	"all that JSON has": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "create", ID: "sure"}, {On: "create", ID: "flaky"}, {On: "update", ID: "change"},
		}},
		object: `{metadata: {labels: {empty: "", a: b}, annotations: {note: "日本語 <b>&amp;</b> \u2028 \U0001F600", other.example.com/kopf-managed: "yes",
			other.example.com/last-handled-configuration: "{}"}},
			spec: {слово: "ñandú <>&\"\\ \u2028\u2029\x01 \U0001F600 e\u0301", "a/b~c.d": [], none: {}, list: [1, null, {deep: null, x: [[]]}],
			big: 9007199254740993, max: 9223372036854775807, least: -9223372036854775808, half: 0.1, huge: 1.5e+300, tiny: 1.0e-7, round: 3.0,
			yes: true, no: false, empty: ""}}`,
		answer: patient(map[string]int{"flaky": 1}),
		leave:  "{progress: {flaky: {retries: 1}, sure: {success: true}}, status: {sure: sure}}",
		first:  []string{"sure 0", "flaky 0"},
		then:   []string{"flaky 1"},
		done:   `{handled: {spec: {"слово": "ñandú <>&\"\\ \u2028\u2029\x01 \U0001F600 e\u0301"}}, progress: null, status: {sure: sure, flaky: flaky}}`,
	},
}
