package essence

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

func object(t testing.TB, s string) map[string]any {
	t.Helper()
	m, err := tree.DecodeObject([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestBuild(t *testing.T) {
	const own = "op.example.com"
	for name, c := range map[string]struct {
		rules        Rules
		object, want string
	}{
		"what people want stays": {Rules{},
			`{"apiVersion":"v1","kind":"X","spec":{"a":1},"data":{"b":"c"},"immutable":true,"rules":[],"status":{"s":1},
			  "metadata":{"name":"n","uid":"u","resourceVersion":"5","labels":{"l":"v"},"annotations":{"a":"v","x.io/a":"v"},"finalizers":["f"]}}`,
			`{"spec":{"a":1},"data":{"b":"c"},"immutable":true,"rules":[],
			  "metadata":{"labels":{"l":"v"},"annotations":{"a":"v","x.io/a":"v"}}}`},
		"empty leftovers go, an empty spec stays": {Rules{},
			`{"spec":{},"metadata":{"name":"n","labels":{},"annotations":{"kopf.zalando.org/fn":"{}"}},"status":{}}`,
			`{"spec":{}}`},
		"null stanzas": {Rules{},
			`{"spec":null,"metadata":{"labels":null,"annotations":null}}`,
			`{"spec":null}`},
		"no metadata": {Rules{}, `{"kind":"X"}`, `{}`},
		"state of kubectl and of operators": {Rules{},
			`{"metadata":{"annotations":{
				"kubectl.kubernetes.io/last-applied-configuration":"{}",
				"kubectl.kubernetes.io/restartedAt":"now",
				"kopf.zalando.org/last-handled-configuration":"{}",
				"kopf.zalando.org/create_fn-ofDRS":"{}",
				"sub.kopf.zalando.org/x":"1",
				"notkopf.zalando.org/x":"1",
				"kopf.dev/x":"1",
				"kopf.zalando.org":"1",
				"op.example.com/kopf-managed":"yes",
				"op.example.com/fn":"{}",
				"sub.op.example.com/fn":"{}",
				"kopf-managed":"yes"}}}`,
			`{"metadata":{"annotations":{
				"kubectl.kubernetes.io/restartedAt":"now",
				"notkopf.zalando.org/x":"1",
				"kopf.dev/x":"1",
				"kopf.zalando.org":"1",
				"sub.op.example.com/fn":"{}",
				"kopf-managed":"yes"}}}`},
		"an own prefix needs no mark": {Rules{Prefix: own},
			`{"metadata":{"annotations":{"op.example.com/fn":"{}","kopf.zalando.org/fn":"{}","a":"b"}}}`,
			`{"metadata":{"annotations":{"a":"b"}}}`},
		"extra fields": {Rules{Extra: [][]string{{"status", "a", "b"}, {"status", "a"}, {"metadata", "name"}, {"spec", "x"}, {"status", "none"}, {"kind"}, {}}},
			`{"kind":"X","spec":{"x":1,"y":2},"metadata":{"name":"n"},"status":{"a":{"b":1,"c":2},"d":3}}`,
			`{"kind":"X","spec":{"x":1,"y":2},"metadata":{"name":"n"},"status":{"a":{"b":1,"c":2}}}`},
		"an extra field through a list": {Rules{Extra: [][]string{{"status", "a", "b"}}},
			`{"status":{"a":[{"b":1}]}}`, `{}`},
		"an extra field brings a foreign annotation back": {
			Rules{Extra: [][]string{{"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"}}},
			`{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}","kopf.zalando.org/fn":"{}"}}}`,
			`{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}}}`},
		"an extra field never brings own state back": {
			Rules{Extra: [][]string{{"metadata", "annotations"}, {"status"}}},
			`{"metadata":{"annotations":{"kopf.zalando.org/fn":"{}"}},"status":{"kopf":{"progress":{"fn":{}}}}}`,
			`{}`},
		"the empty place of old progress": {
			Rules{Extra: [][]string{{"status"}}},
			`{"status":{"kopf":{},"a":1}}`,
			`{"status":{"a":1}}`},
		"old progress beside a result": {
			Rules{Extra: [][]string{{"status"}}},
			`{"status":{"kopf":{"progress":{"fn":{}},"x":1}}}`,
			`{"status":{"kopf":{"x":1}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			in := object(t, c.object)
			if d := cmp.Diff(object(t, c.want), c.rules.Build(in)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(object(t, c.object), in); d != "" {
				t.Errorf("the object was changed: %s", d)
			}
		})
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct{ prefix, stored, want string }{
		{"", `{"spec":{"a":1}}`, `{"spec":{"a":1}}`},
		{"", `{"metadata":{"annotations":{"kopf.zalando.org/fn":"{}"},"labels":{}}}`, `{}`},
		{"", `{"metadata":{"annotations":{"op.example.com/fn":"{}"}}}`, `{"metadata":{"annotations":{"op.example.com/fn":"{}"}}}`},
		{"op.example.com", `{"metadata":{"annotations":{"op.example.com/fn":"{}"}}}`, `{}`},
		{"", `{"status":{"kopf":{"progress":{"fn":{}}},"a":1}}`, `{"status":{"a":1}}`},
		{"", `{"status":{"kopf":{"progress":{"fn":{}}}}}`, `{}`},
		{"", `{"metadata":"odd","status":[]}`, `{"metadata":"odd","status":[]}`},
	} {
		in := object(t, c.stored)
		if d := cmp.Diff(object(t, c.want), Rules{Prefix: c.prefix}.Clean(in)); d != "" {
			t.Errorf("%s: %s", c.stored, d)
		}
		if d := cmp.Diff(object(t, c.stored), in); d != "" {
			t.Errorf("the argument was changed: %s", d)
		}
	}
	if (Rules{}).Clean(nil) != nil {
		t.Error("an object that was never handled got an essence")
	}
}

// Programs may keep what they like in an object: it stays the same for its handlers.
func FuzzBuild(f *testing.F) {
	f.Add([]byte(`{"spec":{"a":1},"metadata":{"annotations":{"a":"b","p.io/x":"1","p.io/kopf-managed":"yes"},"labels":{}},"status":{"a":{"b":1}}}`), "p.io", "fn")
	f.Add([]byte(`{"metadata":{"annotations":null},"status":{"kopf":{"progress":1}}}`), "", "touch-dummy")
	f.Add([]byte(`{"metadata":[],"status":{"a":{}}}`), "kopf.zalando.org", "")
	f.Fuzz(func(t *testing.T, data []byte, prefix, id string) {
		in, err := tree.DecodeObject(data)
		if err != nil {
			return
		}
		before := string(Canonical(in))
		r := Rules{Prefix: prefix, Extra: [][]string{{"status", "a", "b"}, {"metadata", "annotations", "a"}}}
		out := r.Build(in)
		if string(Canonical(in)) != before {
			t.Fatal("the object was changed")
		}
		if again := r.Clean(out); !tree.Equal(again, out) {
			t.Errorf("built %v, cleaned %v", out, again)
		}
		if metadata := tree.Object(in, "metadata"); metadata != nil && prefix != "" && !strings.Contains(prefix, "/") {
			more := maps.Clone(tree.Object(metadata, "annotations"))
			if more == nil {
				more = map[string]any{}
			}
			more[prefix+"/"+id], more["kopf.zalando.org/"+id] = "1", "2"
			changed := maps.Clone(in)
			changed["metadata"] = maps.Clone(metadata)
			changed["metadata"].(map[string]any)["annotations"] = more
			// A mark is the one annotation that changes what others count for.
			if id != "kopf-managed" && Digest(r.Build(changed)) != Digest(out) {
				t.Errorf("own annotations under %q/%q make %v of %v", prefix, id, r.Build(changed), out)
			}
		}
	})
}
