package interop

import (
	"github.com/kopfgen/kopfgen/test/harness"
)

// succeeding answers that everything succeeds and returns its name.
func succeeding(c harness.Call) harness.Answer { return harness.Return(c.Handler) }

// inheritances begin with an object that somebody left long ago.
var inheritances = map[string]takeover{
	"times without a zone": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{{On: "create", ID: "flaky"}, {On: "create", ID: "sure"}}},
		object: `{metadata: {annotations: {
			kopf.zalando.org/flaky: '{"started":"2020-02-03T04:05:06.070809","delayed":"2020-02-03T04:06:06.070809","purpose":"create","retries":3,"success":false,"failure":false}',
			kopf.zalando.org/sure: '{"started":"2020-02-03T04:05:06.070809","stopped":"2020-02-03T04:05:07.070809","purpose":"create","retries":1,"success":true,"failure":false}'}},
			spec: {value: 1}}`,
		answer: succeeding,
		then:   []string{"flaky 3"},
		done:   "{handled: {spec: {value: 1}}, progress: null, status: {flaky: flaky}}",
		unlike: true,
	},
	"progress in the status": {
		operator: harness.Operator{Resource: harness.Bare, Handlers: []harness.Handler{{On: "create", ID: "c1"}, {On: "create", ID: "c2"}}},
		object: `{metadata: {annotations: {
			kopf.zalando.org/c2: '{"started":"2020-02-03T04:05:06.070809+00:00","stopped":"2020-02-03T04:05:07.070809+00:00","purpose":"create","retries":1,"success":true,"failure":false}'}},
			spec: {x: 1}, status: {kopf: {progress: {
			c1: {started: "2020-02-03T04:05:06.070809+00:00", stopped: null, delayed: null, purpose: create, retries: 4, success: false, failure: false, message: busy}}}}}`,
		answer: succeeding,
		then:   []string{"c1 4"},
		done:   "{handled: {spec: {x: 1}}, progress: null, status: {c1: c1, c2: null, kopf: {progress: {c1: null}}}}",
	},
	"only the old name of a long id": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{{On: "create", ID: longestID, Field: longField}}},
		object: `{metadata: {annotations: {
			kopf.zalando.org/a_very_long_handler_function_name_for_d-xnE2xQ: '{"started":"2020-02-03T04:05:06.070809+00:00","purpose":"create","retries":5,"success":false,"failure":false}'}},
			spec: {template: {metadata: {labels: {a: b}}}}}`,
		answer: succeeding,
		then:   []string{longestID + "/" + longField + " 5"},
		done:   "{handled: {}, progress: null, status: {" + longestID + "/" + longField + ": " + longestID + "/" + longField + "}}",
	},
	"no purpose, and the mark of a wake-up": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{{On: "create", ID: "flaky"}}},
		object: `{metadata: {annotations: {kopf.zalando.org/touch-dummy: "2020-02-03T04:05:06.070809+00:00",
			kopf.zalando.org/flaky: '{"started":"2020-02-03T04:05:06.070809+00:00","retries":2,"success":false,"failure":false}'}},
			spec: {value: 1}}`,
		answer: succeeding,
		then:   []string{"flaky 2"},
		done:   "{handled: {spec: {value: 1}}, progress: null, status: {flaky: flaky}}",
	},
	"time and attempts used up": {
		operator: harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
			{On: "create", ID: "late", Timeout: 60}, {On: "create", ID: "spent", Retries: 3}, {On: "create", ID: "fine", Retries: 4, Timeout: 1e9},
		}},
		object: `{metadata: {annotations: {
			kopf.zalando.org/late: '{"started":"2020-02-03T04:05:06.070809+00:00","purpose":"create","retries":2,"success":false,"failure":false}',
			kopf.zalando.org/spent: '{"started":"2020-02-03T04:05:06.070809+00:00","purpose":"create","retries":3,"success":false,"failure":false}',
			kopf.zalando.org/fine: '{"started":"2020-02-03T04:05:06.070809+00:00","purpose":"create","retries":3,"success":false,"failure":false}'}},
			spec: {value: 1}}`,
		answer: succeeding,
		then:   []string{"fine 3"},
		done:   "{handled: {spec: {value: 1}}, progress: null, status: {late: null, spent: null, fine: fine}}",
	},
}
