package edit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// TestChangeLeadsToTheEditedCopy: for any object with fields that Go does not know, and any edit, the change applied to the object decodes
// to the copy as the handler left it, and what Go does not know is still there.
func TestChangeLeadsToTheEditedCopy(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 2))
		raw := randomRaw(t, r)
		e := around(t, text(t, raw), func(w *Widget) {
			for range 1 + r.IntN(4) {
				mutators[r.IntN(len(mutators))](r, w)
			}
		})
		change, err := Diff([]byte(text(t, raw)), e)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		merged := tree.Merge(tree.Merge(raw, orEmpty(change.Object)), orEmpty(change.Status))

		var got Widget
		if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(text(t, merged)), &got); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if left := marshal(t, got); !bytes.Equal(left, e.After) {
			t.Fatalf("seed %d: from %s\nwith %s and %s\ncame %s\nwant %s", seed, e.Before, text(t, change.Object), text(t, change.Status), left, e.After)
		}
		before, after := parse(t, string(e.Before)), parse(t, string(e.After))
		for _, lost := range unknownLost("", newKeys(widgetKeys), raw, before, after, merged) {
			t.Fatalf("seed %d: %s is lost: from %s\nwith %s and %s", seed, lost, text(t, raw), text(t, change.Object), text(t, change.Status))
		}
	}
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// unknownLost returns the paths of fields that Go does not know and that were lost although the object they were in is still there.
func unknownLost(path string, keys *keyTree, raw, before, after, merged any) (lost []string) {
	switch raw := raw.(type) {
	case map[string]any:
		before, wasObject := before.(map[string]any)
		after, isObject := after.(map[string]any)
		merged, _ := merged.(map[string]any)
		if !wasObject || !isObject {
			return nil
		}
		for name, value := range raw {
			if strings.HasPrefix(name, "x-") {
				if !tree.Equal(merged[name], value) {
					lost = append(lost, path+"."+name)
				}
				continue
			}
			lost = append(lost, unknownLost(path+"."+name, keys.step(name), value, before[name], after[name], merged[name])...)
		}
	case []any:
		before, wasList := before.([]any)
		after, isList := after.([]any)
		merged, _ := merged.([]any)
		if !wasList || !isList {
			return nil
		}
		if len(keys.of()) == 0 {
			return unpairedLost(path, before, after, merged)
		}
		for j, element := range after {
			id, _ := identity(element, keys.of())
			for i, was := range before {
				if wasID, _ := identity(was, keys.of()); wasID == id {
					lost = append(lost, unknownLost(fmt.Sprintf("%s[%d]", path, i), keys, raw[i], was, element, merged[j])...)
				}
			}
		}
	}
	return lost
}

// unpairedLost checks a list without keys: of each content, as many unknown fields are left as there were and are elements.
func unpairedLost(path string, before, after, merged []any) []string {
	least := 0
	used := make([]bool, len(before))
	for _, element := range after {
		for i, was := range before {
			if _, object := was.(map[string]any); object && !used[i] && tree.Equal(was, element) {
				used[i] = true
				least++
				break
			}
		}
	}
	seen := map[string]bool{}
	for _, element := range merged {
		object, _ := element.(map[string]any)
		for name, value := range object {
			if strings.HasPrefix(name, "x-") {
				if id := fmt.Sprint(name, value); seen[id] {
					return []string{path + " (doubled)"}
				} else {
					seen[id] = true
				}
			}
		}
	}
	if len(seen) < least {
		return []string{path}
	}
	return nil
}

// randomRaw returns an object with fields that Widget does not have wherever it has a struct.
func randomRaw(t *testing.T, r *rand.Rand) map[string]any {
	w := Widget{}
	w.Name = "n"
	for range r.IntN(25) {
		mutators[r.IntN(len(mutators))](r, &w)
	}
	raw := parse(t, string(marshal(t, w))).(map[string]any)
	next := int64(1 << 53)
	sow := func(v any) {
		if m, ok := v.(map[string]any); ok && m != nil {
			next++
			m[fmt.Sprint("x-", r.IntN(2))] = next
		}
	}
	list := func(v any, each func(any)) {
		elements, _ := v.([]any)
		for _, e := range elements {
			each(e)
		}
	}
	members := func(v any, each func(any)) {
		m, _ := v.(map[string]any)
		for _, name := range tree.Names(m, nil) {
			each(m[name])
		}
	}
	port := func(v any) {
		sow(v)
		list(v.(map[string]any)["rules"], sow)
	}
	sow(raw)
	spec, status := tree.Object(raw, "spec"), tree.Object(raw, "status")
	sow(spec)
	sow(status)
	sow(spec["box"])
	sow(spec["inner"])
	list(spec["ports"], port)
	list(spec["rules"], sow)
	members(spec["byName"], sow)
	members(spec["groups"], func(v any) { sow(v); list(v.(map[string]any)["ports"], port) })
	list(spec["matrix"], func(v any) { list(v, sow) })
	list(status["conditions"], sow)
	return raw
}

// mutators are all kinds of edits.
var mutators = []func(*rand.Rand, *Widget){
	func(r *rand.Rand, w *Widget) { w.Spec.Size = []int64{0, 1, 1<<53 + 1}[r.IntN(3)] },
	func(r *rand.Rand, w *Widget) { w.Spec.Zero = r.Int64N(2) },
	func(r *rand.Rand, w *Widget) { w.Spec.Ratio = float64(r.IntN(3)) / 2 },
	func(r *rand.Rand, w *Widget) { setKey(r, &w.Spec.Labels) },
	func(r *rand.Rand, w *Widget) { setKey(r, &w.Spec.Options) },
	func(r *rand.Rand, w *Widget) { setKey(r, &w.Labels) },
	func(r *rand.Rand, w *Widget) { setKey(r, &w.Annotations) },
	func(r *rand.Rand, w *Widget) { w.Spec.Box = randomBox(r) },
	func(r *rand.Rand, w *Widget) { w.Spec.Inner = Box{Weight: 1 + r.Int64N(2)} },
	func(r *rand.Rand, w *Widget) { w.Spec.Args = shuffled(r, w.Spec.Args, word) },
	func(r *rand.Rand, w *Widget) { w.Spec.Required = shuffled(r, w.Spec.Required, word) },
	func(r *rand.Rand, w *Widget) { w.Spec.Rules = shuffled(r, w.Spec.Rules, randomRule) },
	func(r *rand.Rand, w *Widget) { w.Spec.Ports = randomPorts(r, w.Spec.Ports) },
	func(r *rand.Rand, w *Widget) {
		if w.Spec.Groups == nil {
			w.Spec.Groups = map[string]Group{}
		}
		name := word(r)
		w.Spec.Groups[name] = Group{Ports: randomPorts(r, w.Spec.Groups[name].Ports)}
	},
	func(r *rand.Rand, w *Widget) { delete(w.Spec.Groups, word(r)) },
	func(r *rand.Rand, w *Widget) {
		if w.Spec.ByName == nil {
			w.Spec.ByName = map[string]*Box{}
		}
		if box := randomBox(r); box != nil {
			w.Spec.ByName[word(r)] = box
		} else {
			delete(w.Spec.ByName, word(r))
		}
	},
	func(r *rand.Rand, w *Widget) { w.Spec.Any = randomAny(r, 2) },
	func(r *rand.Rand, w *Widget) {
		w.Spec.Matrix = shuffled(r, w.Spec.Matrix, func(r *rand.Rand) []Rule { return []Rule{randomRule(r), randomRule(r)} })
	},
	func(r *rand.Rand, w *Widget) { w.Status.Phase = word(r) },
	func(r *rand.Rand, w *Widget) {
		name := word(r)
		at := slices.IndexFunc(w.Status.Conditions, func(c Condition) bool { return c.Type == name })
		if at < 0 {
			w.Status.Conditions = append(w.Status.Conditions, Condition{Type: name, Status: word(r)})
		} else {
			w.Status.Conditions[at].Status = word(r)
		}
	},
}

func word(r *rand.Rand) string { return string(rune('a' + r.IntN(4))) }

func setKey(r *rand.Rand, m *map[string]string) {
	if *m == nil {
		*m = map[string]string{}
	}
	if r.IntN(3) == 0 {
		delete(*m, word(r))
	} else {
		(*m)[word(r)] = word(r)
	}
}

func randomBox(r *rand.Rand) *Box {
	if r.IntN(3) == 0 {
		return nil
	}
	return &Box{Color: word(r), Weight: r.Int64N(2)}
}

func randomRule(r *rand.Rand) Rule { return Rule{Host: word(r), Path: word(r)} }

func randomAny(r *rand.Rand, depth int) any {
	switch r.IntN(5 - depth%2) {
	case 0:
		return int64(1<<53 + 1)
	case 1:
		return word(r)
	case 2:
		return []any{word(r), float64(1.5)}
	}
	if depth == 0 {
		return true
	}
	return map[string]any{word(r): randomAny(r, depth-1), word(r): randomAny(r, depth-1)}
}

// shuffled adds, removes, edits or moves some elements.
func shuffled[E any](r *rand.Rand, list []E, make func(*rand.Rand) E) []E {
	list = slices.Clone(list)
	switch n := r.IntN(5); {
	case n == 0 || len(list) == 0:
		return slices.Insert(list, r.IntN(len(list)+1), make(r))
	case n == 1:
		at := r.IntN(len(list))
		return slices.Delete(list, at, at+1)
	case n == 2:
		list[r.IntN(len(list))] = make(r)
	case n == 3:
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	default:
		return nil
	}
	return list
}

// randomPorts keeps the names unique, as the API server does for lists with keys.
func randomPorts(r *rand.Rand, list []Port) []Port {
	list = shuffled(r, list, func(r *rand.Rand) Port { return Port{Name: word(r), Port: r.Int64N(3)} })
	seen := map[string]bool{}
	list = slices.DeleteFunc(list, func(p Port) bool {
		double := seen[p.Name]
		seen[p.Name] = true
		return double
	})
	if len(list) > 0 && r.IntN(2) == 0 {
		at := r.IntN(len(list))
		list[at].Rules = shuffled(r, list[at].Rules, randomRule)
	}
	return list
}
