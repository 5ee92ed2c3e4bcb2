package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSummarize(t *testing.T) {
	for _, test := range []struct {
		values           []float64
		median, min, max float64
	}{
		{[]float64{3}, 3, 3, 3},
		{[]float64{9, 1}, 5, 1, 9},
		{[]float64{5, 100, 1}, 5, 1, 100},
	} {
		if got := summarize(test.values); got.Median != test.median || got.Min != test.min || got.Max != test.max {
			t.Errorf("%v: got %+v", test.values, got)
		}
	}
}

func TestVerdicts(t *testing.T) {
	for name, test := range map[string]struct {
		of       measure
		own      float64
		to       float64 // of controller-runtime; 0 if it was not measured
		met, any bool
	}{
		"a ratio that is met":       {of: cpuPerCreation, own: 1, to: 2, met: true, any: true},
		"a ratio that is missed":    {of: cpuPerCreation, own: 1.1, to: 2, any: true},
		"a ratio without its peer":  {of: cpuPerCreation, own: 1},
		"a number that is reached":  {of: eventAllocations, own: 0, met: true, any: true},
		"a number that is missed":   {of: eventAllocations, own: 1, any: true},
		"more is better, as much":   {of: catchUp, own: 5, to: 5, met: true, any: true},
		"more is better, more":      {of: catchUp, own: 6, to: 5, met: true, any: true},
		"more is better, less":      {of: catchUp, own: 4, to: 5, any: true},
		"nobody set a target of it": {of: throughput, own: 4, to: 5},
	} {
		var r results
		r.add(test.of, kopfgen, test.own)
		if test.to != 0 {
			r.add(test.of, controllerRuntime, test.to)
		}
		got := r.verdicts()
		if len(got) > 0 != test.any || test.any && got[0].Met != test.met {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestReport(t *testing.T) {
	var results results
	for _, value := range []float64{4, 6} {
		results.add(idleCPU, kopf, value)
	}
	results.add(idleCPU, kopfgen, 1)
	results.add(idleCPU, controllerRuntime, 0)
	r := report{Conditions: []condition{{"rounds", "2"}}, Measures: []row{results.row(idleCPU)}, Targets: results.verdicts()}
	for _, want := range []string{
		"* rounds: 2\n",
		"| CPU per second, idle with objects at rest | Kopf 5.0 ms (4.0 to 6.0); controller-runtime 0 ms | 1.0 ms | 0.20; – |\n",
		"| CPU per second, idle with objects at rest: at most 2 ms | 1.0 | met |\n",
	} {
		if got := r.markdown(); !strings.Contains(got, want) {
			t.Errorf("the table lacks %q:\n%s", want, got)
		}
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err) // such as infinity, for a ratio to nothing
	}
}

func TestSignificant(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.01234: "0.012", 0.5: "0.50", 5.04: "5.0", 12.4: "12", 1234.5: "1234"} {
		if got := significant(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
}
