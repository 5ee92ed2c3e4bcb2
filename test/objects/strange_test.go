package objects

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

// strange has the metadata, without a name, and the members of specs, in JSON.
var strange = map[string]struct{ metadata, spec string }{
	"unicode": {
		`"labels": {"a": "b"}, "annotations": {"note": "日本語 \u2028 \ud83d\ude00 <b>&amp;</b>", "empty": ""}`,
		`"слово": "ñandú e\u0301 \u00e9 \u0001 \u007f \ud83d\ude00 \"\\ \/ \u2028\u2029", "a/b~c.d": {"$ref": "#", "": "nothing"}, "<>&": "<>&"`,
	},
	"nulls":           {"", `"list": [null, {"deep": null, "x": [null]}, [[]]], "one": null, "object": {"two": null}`},
	"emptiness":       {`"labels": {}, "annotations": {}`, `"list": [], "object": {}, "text": "", "zero": 0, "no": false`},
	"empty-labels":    {`"labels": {"empty": "", "example.com/other": ""}`, `"value": 1`},
	"numbers":         {"", `"over": 9007199254740993, "under": -9007199254740993, "max": 9223372036854775807, "min": -9223372036854775808, "half": 0.1, "huge": 1.5e300, "tiny": 1e-300, "round": 3.0, "exact": 123456789.125`},
	"beyond":          {"", `"beyond": 18446744073709551615, "far": 123456789012345678901234567890`},
	"keys":            {"", `"keys": {` + many(5000, func(i int) string { return fmt.Sprintf(`"key-%d": %d`, i, i) }) + `}`},
	"depth":           {"", `"deep": ` + strings.Repeat(`{"a": [`, 100) + strings.Repeat(`]}`, 100)},
	"bytes-200k":      {"", `"text": "` + strings.Repeat("0123456789abcdef", 200<<10/16) + `"`},
	"list":            {"", `"list": [` + many(2000, func(i int) string { return fmt.Sprintf(`{"name": "n%d", "value": [%d]}`, i, i) }) + `]`},
	"others-progress": {`"annotations": {"other.example.com/kopf-managed": "yes", "other.example.com/last-handled-configuration": "{\"spec\":{}}\n", "other.example.com/made": "{\"started\":\"x\"}"}`, `"value": 1`},
	"kubectls":        {`"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{\"kind\":\"x\"}\n"}`, `"value": 1`},
	"others-finalizers": {
		`"finalizers": ["example.com/one", "example.com/two"]`, `"value": 1`,
	},
	strings.Repeat("long-name.", 25) + "end": {"", `"value": 1`},
}

func many(count int, one func(int) string) string {
	all := make([]string, count)
	for i := range all {
		all[i] = one(i)
	}
	return strings.Join(all, ", ")
}

// TestStrange has every strange object created and changed. The handler of the change is told of that change and of nothing else, which it
// would be if the stored state were not the same, to the digit, as the one that comes from the API server.
func TestStrange(t *testing.T) {
	w := newWorld(t, harness.Subject, func(w *world) []operator.Handler {
		return []operator.Handler{w.plain("made", operator.OnCreate), w.plain("changed", operator.OnUpdate), w.plain("gone", operator.OnDelete)}
	})
	for name, s := range strange {
		w.create(name, s.metadata, `"spec": {`+s.spec+`}`)
	}
	for name := range strange {
		w.untilHandled(name)
		w.patch(name, `{"spec": {"touched": true}}`)
	}
	for name := range strange {
		object := w.untilHandled(name)
		if got := finalizers(object); got[len(got)-1] != finalizer {
			t.Errorf("%s: the finalizers are %v", name, got)
		}
		if diff := cmp.Diff([]string{name + " changed [+ spec.touched: true]"}, w.noted(name+" changed")); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		if calls := w.noted(name + " made"); len(calls) != 1 {
			t.Errorf("%s was created %d times", name, len(calls))
		}
	}
	for name := range strange {
		w.request("DELETE", "/"+name, "application/json", "")
	}
	for name := range strange {
		if name == "others-finalizers" {
			w.until(name, "it is released", func(object map[string]any) bool { return len(finalizers(object)) == 2 })
			w.patch(name, `{"metadata": {"finalizers": null}}`)
		}
		w.until(name, "it is gone", func(object map[string]any) bool { return object == nil })
		if calls := w.noted(name + " gone"); len(calls) != 1 {
			t.Errorf("%s was deleted %d times", name, len(calls))
		}
	}
	w.Stop()
}
