package diff

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// decode parses JSON; an empty text is an absence.
func decode(t testing.TB, s string) any {
	t.Helper()
	if s == "" {
		return nil
	}
	v, err := tree.Decode([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func texts(d kopf.Diff) []string {
	var out []string
	for _, c := range d {
		out = append(out, c.String())
	}
	return out
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          []string
	}{
		{``, ``, nil},
		{``, `{"spec":{"a":1}}`, []string{`+ : {"spec":{"a":1}}`}},
		{`{"spec":{"a":1}}`, ``, []string{`- : {"spec":{"a":1}}`}},
		{`{"c":{"x":1}}`, `{"c":{"y":2}}`, []string{`+ c.y: 2`, `- c.x: 1`}},
		{`{"a":{}}`, `{}`, []string{`- a: {}`}},
		{`{"l":[1,{"a":1}]}`, `{"l":[1,{"a":2}]}`, []string{`~ l: [1,{"a":1}] -> [1,{"a":2}]`}},
		{`{"l":[]}`, `{"l":{}}`, []string{`~ l: [] -> {}`}},
		{`{"a":1}`, `{"a":1.0}`, nil},
		{`{"a":1}`, `{"a":true}`, []string{`~ a: 1 -> true`}},
		{`{"a":9007199254740992}`, `{"a":9007199254740993}`, []string{`~ a: 9007199254740992 -> 9007199254740993`}},
		{`{"a":null}`, `{}`, nil},
		{`{}`, `{"a":null}`, nil},
		{`{"a":null}`, `{"a":{"b":1}}`, []string{`+ a: {"b":1}`}},
		{`{"a":{"b":1}}`, `{"a":null}`, []string{`- a: {"b":1}`}},
		{`{"a":{"b":null}}`, `{"a":{}}`, nil},
		{`{"l":[{"b":null}]}`, `{"l":[{}]}`, nil},
		{`{"l":[null]}`, `{"l":[]}`, []string{`~ l: [null] -> []`}},
		{`{"a":"<ü>"}`, `{"a":"&"}`, []string{`~ a: "<ü>" -> "&"`}},
		{
			`{"z":1,"b":1,"spec":{"field":"value","gone":1,"also":2}}`, `{"y":1,"a":1,"b":2,"spec":{"field":"changed"}}`,
			[]string{`+ a: 1`, `+ y: 1`, `- z: 1`, `~ b: 1 -> 2`, `- spec.also: 2`, `- spec.gone: 1`, `~ spec.field: "value" -> "changed"`},
		},
		// What Kopf gave to the update handler of its recorded traffic.
		{
			`{"spec":{"field":"value"},"metadata":{"labels":{"somelabel":"somevalue"}}}`,
			`{"spec":{"field":"changed"},"metadata":{"labels":{"somelabel":"somevalue","l2":"v2"}}}`,
			[]string{`+ metadata.labels.l2: "v2"`, `~ spec.field: "value" -> "changed"`},
		},
	} {
		got := Of(decode(t, c.before), decode(t, c.after))
		if d := cmp.Diff(c.want, texts(got)); d != "" {
			t.Errorf("from %s to %s:\n%s", c.before, c.after, d)
		}
	}
}

func TestANilMapIsAnAbsence(t *testing.T) {
	var none map[string]any
	some := decode(t, `{"a":1}`)
	if d := Of(none, some); len(d) != 1 || len(d[0].Path) != 0 || d[0].Old != nil {
		t.Errorf("got %v", d)
	}
	if d := At(none, some, []string{"a"}); len(d) != 1 || d[0].Op != kopf.OpAdd {
		t.Errorf("got %v", d)
	}
	if d := Of(none, decode(t, `{}`)); len(d) != 1 || essence.Digest(none) == essence.Digest(decode(t, `{}`)) || essence.Equal(none, decode(t, `{}`)) {
		t.Errorf("got %v", d)
	}
	if d := Of(none, nil); len(d) != 0 || essence.Digest(none) != essence.Digest(nil) || !essence.Equal(none, nil) {
		t.Errorf("got %v", d)
	}
	if d := At(none, some, nil); len(d) != 1 || len(d[0].Path) != 0 {
		t.Errorf("got %v", d)
	}
}

func TestAt(t *testing.T) {
	for _, c := range []struct {
		before, after string
		path          []string
		want          []string
	}{
		{``, `{"spec":{"a":{"b":1}}}`, []string{"spec", "a"}, []string{`+ : {"b":1}`}},
		{`{"spec":{"field":"value"}}`, `{"spec":{"field":"changed"}}`, []string{"spec", "field"}, []string{`~ : "value" -> "changed"`}},
		{`{"spec":{"a":{"b":1},"c":1}}`, `{"spec":{"a":{"b":2},"c":2}}`, []string{"spec", "a"}, []string{`~ b: 1 -> 2`}},
		{`{"spec":{"a":1}}`, `{"spec":{"a":{"b":2}}}`, []string{"spec", "a", "b"}, []string{`+ : 2`}},
		{`{"spec":[1]}`, `{"spec":[2]}`, []string{"spec", "a"}, nil},
		{`{"spec":{"a":1}}`, ``, []string{"spec"}, []string{`- : {"a":1}`}},
		{`{"a":1}`, `{"a":2}`, nil, []string{`~ a: 1 -> 2`}},
		{`{"a":1}`, `{"a":2}`, []string{"b"}, nil},
	} {
		got := At(decode(t, c.before), decode(t, c.after), c.path)
		if d := cmp.Diff(c.want, texts(got)); d != "" {
			t.Errorf("from %s to %s at %v:\n%s", c.before, c.after, c.path, d)
		}
	}
}

// reduced is Kopf's own way to a field: item by item of the whole diff.
func reduced(t testing.TB, d kopf.Diff, path []string) kopf.Diff {
	var out kopf.Diff
	for _, c := range d {
		switch {
		case len(c.Path) >= len(path) && slices.Equal(c.Path[:len(path)], path):
			c.Path = c.Path[len(path):]
			out = append(out, c)
		case len(c.Path) < len(path) && slices.Equal(path[:len(c.Path)], c.Path):
			before, _ := tree.Get(decode(t, c.Old.String()), path[len(c.Path):]...)
			after, _ := tree.Get(decode(t, c.New.String()), path[len(c.Path):]...)
			out = append(out, Of(before, after)...)
		}
	}
	return out
}

// applied makes the changes to a copy of v.
func applied(t testing.TB, v any, d kopf.Diff) any {
	v = tree.Copy(v)
	for _, c := range d {
		if len(c.Path) == 0 {
			v = decode(t, c.New.String())
			continue
		}
		parent := tree.Object(v, c.Path[:len(c.Path)-1]...)
		if parent == nil {
			t.Fatalf("%v leads nowhere", c)
		}
		if c.Op == kopf.OpRemove {
			delete(parent, c.Path[len(c.Path)-1])
			continue
		}
		parent[c.Path[len(c.Path)-1]] = decode(t, c.New.String())
	}
	return v
}

// check tests what must hold for any two states.
func check(t testing.TB, before, after any) {
	d := Of(before, after)
	if got := applied(t, before, d); !essence.Equal(got, after) {
		t.Fatalf("%v and %v give %v, want %v", before, d, got, after)
	}
	if same := essence.Digest(before) == essence.Digest(after); same != (len(d) == 0) {
		t.Fatalf("%v and %v: equal digests %v, diff %v", before, after, same, d)
	}
	for _, c := range d {
		if (c.Old == nil) != (c.Op == kopf.OpAdd) || (c.New == nil) != (c.Op == kopf.OpRemove) {
			t.Fatalf("a side does not fit: %v", c)
		}
	}
	for _, path := range [][]string{{}, {"a"}, {"b", "a"}, {"a", "a", "b"}} {
		if x := cmp.Diff(texts(reduced(t, d, path)), texts(At(before, after, path))); x != "" {
			t.Fatalf("%v and %v at %v:\n%s", before, after, path, x)
		}
	}
}

func TestAnyTwoStates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var value func(depth int) any
	value = func(depth int) any {
		n := 9
		if depth == 0 {
			n = 6
		}
		switch random.IntN(n) {
		case 0:
			return nil
		case 1:
			return random.IntN(2) == 0
		case 2:
			return int64(random.IntN(3))
		case 3:
			return float64(random.IntN(4)) / 2
		case 4, 5:
			return string(rune('x' + random.IntN(2)))
		case 6:
			list := make([]any, random.IntN(3))
			for i := range list {
				list[i] = value(depth - 1)
			}
			return list
		default:
			object := map[string]any{}
			for range random.IntN(4) {
				object[string(rune('a'+random.IntN(3)))] = value(depth - 1)
			}
			return object
		}
	}
	for range 20_000 {
		check(t, value(3), value(3))
	}
}

func FuzzOf(f *testing.F) {
	f.Add([]byte(`{"a":{"b":[1,null]}}`), []byte(`{"a":{"a":{"b":1e3}},"b":{"a":null}}`))
	f.Add([]byte(`9223372036854775807`), []byte(`9223372036854775808`))
	f.Add([]byte(`{"":{"":-0}}`), []byte(`{"":{"":0.0}}`))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		b, errB := tree.Decode(before)
		a, errA := tree.Decode(after)
		if errB != nil || errA != nil || !json.Valid(before) || !json.Valid(after) {
			return
		}
		check(t, b, a)
	})
}
