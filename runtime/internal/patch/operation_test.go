package patch

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

func TestDifference(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"nothing", `{"a":[1,{"b":null}]}`, `{"a":[1.0,{"b":null}]}`, `null`},
		{"members", `{"a":1,"b":2,"c":{"d":3}}`, `{"b":4,"c":{"d":3,"e":[]}}`,
			`[{"op":"remove","path":"/a"},{"op":"replace","path":"/b","value":4},{"op":"add","path":"/c/e","value":[]}]`},
		{"null and absent differ", `{"a":null}`, `{}`, `[{"op":"remove","path":"/a"}]`},
		{"names with slashes and tildes", `{}`, `{"a/b~c":1}`, `[{"op":"add","path":"/a~1b~0c","value":1}]`},
		{"an element in the middle", `{"a":[1,{"b":1},3]}`, `{"a":[1,{"b":2},3]}`, `[{"op":"replace","path":"/a/1/b","value":2}]`},
		{"elements put in", `{"a":[1,4]}`, `{"a":[1,2,3,4]}`, `[{"op":"add","path":"/a/1","value":2},{"op":"add","path":"/a/2","value":3}]`},
		{"elements taken out", `{"a":[1,2,3,4]}`, `{"a":[1,4]}`, `[{"op":"remove","path":"/a/2"},{"op":"remove","path":"/a/1"}]`},
		{"another type", `{"a":[1],"b":{"c":1}}`, `{"a":{},"b":[]}`,
			`[{"op":"replace","path":"/a","value":{}},{"op":"replace","path":"/b","value":[]}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := tree.Encode(difference(parse(t, c.from), parse(t, c.to)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func parse(t *testing.T, s string) map[string]any {
	t.Helper()
	m, err := tree.DecodeObject([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestDifferenceLeadsThere: applied by the library of the API server, the operations turn any object into any other.
func TestDifferenceLeadsThere(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		from := randomObject(r, 3)
		to := mutated(r, from, 3).(map[string]any)
		ops := difference(from, to)
		if len(ops) == 0 {
			if !tree.Equal(from, to) {
				t.Fatalf("seed %d: no operations from %v to %v", seed, from, to)
			}
			continue
		}
		data, err := tree.Encode(ops)
		if err != nil {
			t.Fatal(err)
		}
		patch, err := jsonpatch.DecodePatch(data)
		if err != nil {
			t.Fatal(err)
		}
		before, err := tree.Encode(from)
		if err != nil {
			t.Fatal(err)
		}
		after, err := patch.Apply(before)
		if err != nil {
			t.Fatalf("seed %d: %s on %s: %v", seed, data, before, err)
		}
		if got := parse(t, string(after)); !tree.Equal(got, to) {
			t.Fatalf("seed %d: %s on %s gives %v, want %v", seed, data, before, got, to)
		}
	}
}

func randomObject(r *rand.Rand, depth int) map[string]any {
	m := map[string]any{}
	for range r.IntN(4) {
		m[[]string{"a", "b", "c/d", "e~f", ""}[r.IntN(5)]] = randomValue(r, depth-1)
	}
	return m
}

func randomValue(r *rand.Rand, depth int) any {
	kinds := 7
	if depth <= 0 {
		kinds = 5
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return fmt.Sprint(r.IntN(3))
	case 3:
		return int64(1<<53) + r.Int64N(3)
	case 4:
		return float64(r.IntN(3)) / 2
	case 5:
		list := make([]any, r.IntN(5))
		for i := range list {
			list[i] = randomValue(r, depth-1)
		}
		return list
	}
	return randomObject(r, depth)
}

// mutated returns a value that has something in common with another.
func mutated(r *rand.Rand, v any, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, e := range v {
			switch r.IntN(4) {
			case 0:
				out[name] = mutated(r, e, depth-1)
			case 1:
			default:
				out[name] = tree.Copy(e)
			}
		}
		if r.IntN(2) == 0 {
			out["n"] = randomValue(r, depth-1)
		}
		return out
	case []any:
		out := []any{}
		for _, e := range v {
			switch r.IntN(5) {
			case 0:
				out = append(out, mutated(r, e, depth-1))
			case 1:
				out = append(out, e, randomValue(r, depth-1))
			case 2:
			default:
				out = append(out, e)
			}
		}
		return out
	}
	return randomValue(r, depth)
}
