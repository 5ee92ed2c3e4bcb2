package skim_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// The reference does with decoded objects what the skim does with text. It is written from the rules, not from the code.

func decode(raw []byte) (m map[string]any, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return m, dec.Decode(&m)
}

func lookup(v any, path []string) (any, bool) {
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[name]; !ok {
			return nil, false
		}
	}
	return v, true
}

func annotations(o map[string]any) map[string]any {
	v, _ := lookup(o, []string{"metadata", "annotations"})
	m, _ := v.(map[string]any)
	return m
}

func referenceEssence(c skim.Config, o map[string]any) string {
	essence := map[string]any{}
	for name, v := range o {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, name) {
			essence[name] = v
		}
	}
	if labels, ok := lookup(o, []string{"metadata", "labels"}); ok && len(labels.(map[string]any)) > 0 {
		essence["/labels"] = labels
	}
	marked := []string{}
	for name := range annotations(o) {
		if prefix, ok := strings.CutSuffix(name, "/kopf-managed"); ok && !strings.Contains(prefix, "/") {
			marked = append(marked, prefix)
		}
	}
	kept := map[string]any{}
	for name, v := range annotations(o) {
		prefix, _, ok := strings.Cut(name, "/")
		switch {
		case name == "kubectl.kubernetes.io/last-applied-configuration":
		case ok && (prefix == "kopf.zalando.org" || strings.HasSuffix(prefix, ".kopf.zalando.org")):
		case ok && (slices.Contains(c.Prefixes, prefix) || slices.Contains(marked, prefix)):
		default:
			kept[name] = v
		}
	}
	if len(kept) > 0 {
		essence["/annotations"] = kept
	}
	for _, path := range c.Extra {
		v, ok := lookup(o, path)
		if m, isObject := v.(map[string]any); isObject && len(m) == 0 && len(path) == 1 {
			ok = false // Kopf drops an empty status
		}
		if ok {
			essence["/"+strings.Join(path, "/")] = v
		}
	}
	return render(essence, nil)
}

func referenceState(c skim.Config, o map[string]any) string {
	state := map[string]any{"essence": referenceEssence(c, o)}
	finalizers, _ := lookup(o, []string{"metadata", "finalizers"})
	list, _ := finalizers.([]any)
	state["finalizer"] = slices.Contains(list, any(c.Finalizer))
	_, state["deleting"] = lookup(o, []string{"metadata", "deletionTimestamp"})
	own := map[string]any{}
	for name, v := range annotations(o) {
		if prefix, _, ok := strings.Cut(name, "/"); ok && slices.Contains(c.Prefixes, prefix) {
			own[name] = v
		}
	}
	state["own"] = own
	state["legacy"], _ = lookup(o, []string{"status", "kopf"})
	for _, path := range c.Reads {
		if len(path) == 0 {
			all := maps.Clone(o)
			metadata := maps.Clone(o["metadata"].(map[string]any))
			for _, name := range []string{"managedFields", "resourceVersion", "generation"} {
				delete(metadata, name)
			}
			all["metadata"] = metadata
			state["all"] = all
			continue
		}
		v, ok := lookup(o, path)
		state[strings.Join(path, "/")] = []any{v, ok}
	}
	return render(state, nil)
}

// render writes compact JSON. With a source of randomness, it shuffles the members of the objects in which order must not matter, and
// spells some names with escapes.
func render(v any, shuffle *rand.Rand, path ...string) string {
	m, ok := v.(map[string]any)
	if !ok {
		if list, ok := v.([]any); ok {
			parts := make([]string, len(list))
			for i, e := range list {
				parts[i] = render(e, nil)
			}
			return "[" + strings.Join(parts, ",") + "]"
		}
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	names := slices.Sorted(maps.Keys(m))
	var in *rand.Rand
	switch strings.Join(path, ".") {
	case "", "metadata", "metadata.labels", "metadata.annotations":
		in = shuffle
	}
	if in != nil {
		in.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	}
	parts := make([]string, len(names))
	for i, name := range names {
		text, _ := json.Marshal(name)
		parts[i] = string(text) + ":" + render(m[name], in, append(path[:len(path):len(path)], name)...)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// generator makes objects that are close to one another, so that many pairs of them are equal in part.
type generator struct{ *rand.Rand }

func pick[T any](g generator, from ...T) T { return from[g.IntN(len(from))] }

func (g generator) maybe() bool { return g.IntN(2) == 0 }

func (g generator) value(depth int) any {
	if depth > 0 && g.maybe() {
		if g.maybe() {
			return []any{g.value(depth - 1), g.value(depth - 1)}
		}
		return map[string]any{pick(g, "a", "ä<\"\\", "metadata"): g.value(depth - 1)}
	}
	return pick[any](g, nil, true, json.Number("9007199254740993"), json.Number("9007199254740992"), json.Number("1.0"), json.Number("1e300"),
		"", "kopf", "\u2028 \x00 \"quoted\\\" 😀", strings.Repeat("long ", 50))
}

func (g generator) texts(names ...string) map[string]any {
	m := map[string]any{}
	for _, name := range names {
		if g.IntN(4) == 0 {
			m[name] = pick(g, "1", "2", "ü\"")
		}
	}
	return m
}

func (g generator) object() map[string]any {
	metadata := map[string]any{
		"name": pick(g, "one", "two"), "uid": "u", "resourceVersion": fmt.Sprint(g.IntN(1000)), "generation": g.IntN(3),
		"managedFields": []any{map[string]any{"manager": fmt.Sprint(g.IntN(1000))}},
	}
	if g.maybe() {
		metadata["labels"] = g.texts("app", "tier", "ex.dev/x")
	}
	if g.maybe() {
		metadata["annotations"] = g.texts("note", "a/b", "a/kopf-managed", "a/b/kopf-managed", "mine.example.com/one", "mine.example.com/kopf-managed",
			"kopf.zalando.org/x", "v1.kopf.zalando.org/x", "xkopf.zalando.org/x", "kubectl.kubernetes.io/last-applied-configuration", "/kopf-managed", "/x")
	}
	if g.maybe() {
		metadata["finalizers"] = pick(g, []any{}, []any{"x"}, []any{"x", config.Finalizer}, []any{config.Finalizer + "2"})
	}
	if g.IntN(4) == 0 {
		metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
	}
	o := map[string]any{"apiVersion": "v1", "kind": "K", "metadata": metadata}
	for _, name := range []string{"spec", "data", "", "ünï<"} {
		if g.IntN(4) == 0 {
			o[name] = g.value(4)
		}
	}
	if g.maybe() {
		status := map[string]any{}
		for _, name := range []string{"phase", "kopf", "other"} {
			if g.IntN(3) == 0 {
				status[name] = g.value(1)
			}
		}
		o["status"] = status
	}
	return o
}

func TestDigestsAgreeWithReference(t *testing.T) {
	configs := []skim.Config{
		config,
		{Finalizer: config.Finalizer, Extra: [][]string{{"status", "phase"}, {"metadata", "name"}}, Reads: [][]string{{"status"}}},
		{Prefixes: config.Prefixes, Reads: [][]string{{"status", "other", "a"}, {"metadata", "annotations", "kopf.zalando.org/x"}, {"spec", "a"}}},
		{Finalizer: config.Finalizer, Prefixes: []string{"a", "kopf.zalando.org"}, Reads: [][]string{nil}, Extra: [][]string{{"status"}}},
	}
	g := generator{rand.New(rand.NewPCG(1, 2))}
	for i, c := range configs {
		rules := skim.Compile(c)
		s, again := skim.New(rules), skim.New(skim.Compile(c))
		essences, states := map[string]uint64{}, map[string]uint64{}
		byEssence, byState := map[uint64]string{}, map[uint64]string{}
		for range 10_000 {
			m := g.object()
			text, shuffled := render(m, nil), render(m, g.Rand)
			var o, p skim.Object
			if err := errors.Join(s.Object([]byte(text), &o), again.Object([]byte(shuffled), &p)); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if o.Essence != p.Essence || o.State != p.State {
				t.Fatalf("config %d: order makes a difference:\n%s\n%s", i, text, shuffled)
			}
			essence, state := referenceEssence(c, m), referenceState(c, m)
			if was, ok := essences[essence]; ok && was != o.Essence {
				t.Fatalf("config %d: the essence has not changed:\n%s\n%s", i, text, essence)
			}
			if was, ok := byEssence[o.Essence]; ok && was != essence {
				t.Fatalf("config %d: a change of the essence is not seen:\n%s\n%s", i, was, essence)
			}
			if was, ok := byState[o.State]; ok && was != state {
				t.Fatalf("config %d: a change of the state is not seen:\n%s\n%s", i, was, state)
			}
			essences[essence], byEssence[o.Essence] = o.Essence, essence
			states[state], byState[o.State] = o.State, state
		}
		if len(essences) > 9_500 || len(states) > 9_990 {
			t.Errorf("config %d: too few objects were alike: %d essences, %d states", i, len(essences), len(states))
		}
	}
}

func FuzzObject(f *testing.F) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	for range 50 {
		f.Add([]byte(render(g.object(), g.Rand)))
	}
	f.Add([]byte(`{"m\u0065tadata":{"name":"a","annotations":{"a\/b":"c"}}}`))
	f.Add([]byte(`{"metadata":{"name":"a","managedFields":[],"managedFields":[]}}`))
	rules := skim.Compile(skim.Config{Finalizer: "x", Prefixes: []string{"a"}, Extra: [][]string{{"status", "phase"}}, Reads: [][]string{{"status", "a", "b"}}})
	f.Fuzz(func(t *testing.T, raw []byte) {
		var o, again skim.Object
		err := skim.New(rules).Object(raw, &o)
		if err != nil {
			return
		}
		m, err := decode(raw)
		if err != nil {
			t.Fatalf("accepted, but it is not JSON: %v", err)
		}
		metadata := m["metadata"].(map[string]any)
		if name, ok := metadata["name"].(string); !ok || name != string([]rune(string(o.Name))) {
			t.Errorf("name %q instead of %v", o.Name, metadata["name"])
		}
		trimmed := o.AppendTrimmed(nil)
		without, err := decode(trimmed)
		if err != nil {
			t.Fatalf("trimmed to %s: %v", trimmed, err)
		}
		delete(metadata, "managedFields")
		if got, want := render(without, nil), render(m, nil); got != want {
			t.Errorf("trimmed to %s instead of %s", got, want)
		}
		if err := skim.New(rules).Object(trimmed, &again); err != nil || again.Essence != o.Essence || again.State != o.State || again.Key() != o.Key() {
			t.Errorf("trimming makes a difference: %v", err)
		}
	})
}

func FuzzFrame(f *testing.F) {
	f.Add([]byte(`{"type":"ADDED","object":{"metadata":{"name":"a"}}}`))
	f.Add([]byte(`{"type":"ERROR","object":{"metadata":{},"status":"Failure","code":410}}`))
	f.Add([]byte(`{"metadata":{"continue":"x"},"items":[{"metadata":{"name":"a"}},1]}`))
	rules := skim.Compile(config)
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := skim.New(rules)
		var frame skim.Frame
		if err := s.Frame(raw, &frame); err == nil && !json.Valid(raw) {
			t.Error("accepted as a frame, but it is not JSON")
		}
		items := 0
		list, err := s.List(raw, func(*skim.Object, error) error { items++; return nil })
		if err == nil && (!json.Valid(raw) || list.Items != items) {
			t.Errorf("accepted as a list: %+v, %d items", list, items)
		}
	})
}
