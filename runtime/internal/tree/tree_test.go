package tree

import "testing"

func decode(t *testing.T, s string) any {
	t.Helper()
	v, err := Decode([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true},
		{`1`, `true`, false},
		{`0`, `false`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`9007199254740993`, `9007199254740992.0`, false},
		{`9223372036854775807`, `9223372036854775808.0`, false},
		{`{"a":null}`, `{}`, false},
		{`{"a":[1,{"b":2}]}`, `{"a":[1.0,{"b":2}]}`, true},
		{`[1,2]`, `[2,1]`, false},
		{`{}`, `[]`, false},
	} {
		if got := Equal(decode(t, c.a), decode(t, c.b)); got != c.want {
			t.Errorf("Equal(%s, %s) = %v, want %v", c.a, c.b, got, c.want)
		}
		if got := Equal(decode(t, c.b), decode(t, c.a)); got != c.want {
			t.Errorf("Equal(%s, %s) = %v, want %v", c.b, c.a, got, c.want)
		}
	}
}

func TestMerge(t *testing.T) {
	// The examples of RFC 7386, appendix A.
	for _, c := range []struct{ target, patch, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"a":"foo"}`, `null`, `null`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		if got := Merge(decode(t, c.target), decode(t, c.patch)); !Equal(got, decode(t, c.want)) {
			t.Errorf("Merge(%s, %s) = %v, want %s", c.target, c.patch, got, c.want)
		}
	}
}

func TestOverlayEqualsTwoMerges(t *testing.T) {
	for _, c := range []struct{ target, first, second string }{
		{`{"a":{"x":1}}`, `{"a":{"x":2}}`, `{"a":{"y":3}}`},
		{`{"a":{"x":1}}`, `{"a":{"x":null}}`, `{"a":{"y":3}}`},
		{`{"a":1}`, `{"a":null}`, `{"a":{"b":1}}`},
		{`{"a":{"b":1}}`, `{"a":2}`, `{"a":null}`},
	} {
		target, first, second := decode(t, c.target), decode(t, c.first), decode(t, c.second)
		want := Merge(Merge(target, first), second)
		both := Copy(first).(map[string]any)
		Overlay(both, second.(map[string]any))
		if got := Merge(target, both); !Equal(got, want) {
			t.Errorf("%v: overlaid %v gives %v, want %v", c, both, got, want)
		}
	}
}

func TestDeleteRemovesEmptiedParents(t *testing.T) {
	m := decode(t, `{"metadata":{"labels":{"a":"b"}},"spec":{}}`).(map[string]any)
	Delete(m, "metadata", "labels", "a")
	Delete(m, "spec", "x", "y")
	if !Equal(m, decode(t, `{"spec":{}}`)) {
		t.Errorf("got %v", m)
	}
}
