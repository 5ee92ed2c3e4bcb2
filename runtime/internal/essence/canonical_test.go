package essence

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		`null`: `null`,
		` {"b" : 1.0, "a":[ true, null, {"x":null}], "n":null, "":-0} `:       `{"":0,"a":[true,null,{}],"b":1}`,
		`[9007199254740993, 9223372036854775807, -9223372036854775808]`:       `[9007199254740993,9223372036854775807,-9223372036854775808]`,
		`[1e3, 1.5, 1e-7, 1e300, 18446744073709551616, 9.007199254740992e15]`: `[1000,1.5,1e-07,1e+300,1.8446744073709552e+19,9007199254740992]`,
		`"a\"\\\/\n\u0001<>&ü\u2028"`:                                         `"a\"\\/\u000a\u0001<>&ü` + "\u2028\"",
	} {
		v, err := tree.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(Canonical(v))); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

// Digests are stored in objects: other versions must find the same.
func TestDigest(t *testing.T) {
	for text, want := range map[string]string{
		`null`:                                "dCNOmK_nSY-12vHz",
		`{}`:                                  "RBNvo1WzZ4oRRq0W",
		`{"spec":{"a":1,"b":"x"}}`:            "tjEFtqP5BTjMq-Da",
		`{"spec":{"b":"x","a":1.0,"c":null}}`: "tjEFtqP5BTjMq-Da",
	} {
		v, err := tree.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := Digest(v); got != want {
			t.Errorf("%s: digest %q, want %q", text, got, want)
		}
	}
}

// Comparing must not take twice the time with each level of depth: this test would not end.
func TestEqualInDepth(t *testing.T) {
	const depth = 100
	deep := func(core string) any {
		v, err := tree.Decode([]byte(strings.Repeat(`{"a":[`, depth) + core + strings.Repeat(`]}`, depth)))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if !Equal(deep(`{"b":1,"c":null}`), deep(`{"b":1.0}`)) {
		t.Error("equal values differ")
	}
	for _, other := range []string{`{}`, `{"b":2}`, `{"b":1,"c":2}`, `null`} {
		if Equal(deep(`{"b":1}`), deep(other)) || Equal(deep(other), deep(`{"b":1}`)) {
			t.Errorf("%s equals another value", other)
		}
	}
}

func TestWhatIsNotJSONIsNotHashed(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a struct has a canonical form")
		}
	}()
	Canonical(map[string]any{"x": struct{}{}})
}

// The canonical form is JSON, stands for the same value, and is its own canonical form.
func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"a":[1,1.5,"ü\u0000\u2028",null,{"b":null}],"":1e20}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := tree.Decode(data)
		if err != nil {
			return
		}
		text := Canonical(v)
		if !json.Valid(text) {
			t.Fatalf("%q is not JSON", text)
		}
		again, err := tree.Decode(text)
		if err != nil || !Equal(v, again) || string(Canonical(again)) != string(text) {
			t.Errorf("%s became %s, then %s (%v)", data, text, Canonical(again), err)
		}
	})
}
