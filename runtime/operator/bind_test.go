package operator

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// thing is the type of the tests' objects.
type thing struct {
	Metadata struct {
		Labels map[string]string `json:"labels,omitempty"`
	} `json:"metadata"`
	Spec   thingSpec   `json:"spec"`
	Status thingStatus `json:"status,omitempty"`
}

type thingSpec struct {
	Size  int64    `json:"size"`
	Names []string `json:"names,omitempty"`
}

type thingStatus struct {
	Phase    string         `json:"phase,omitempty"`
	Replicas int            `json:"replicas"`
	Parts    map[string]int `json:"parts,omitempty"`
	Deep     struct {
		Ready bool `json:"ready"`
		Count int  `json:"count"`
	} `json:"deep"`
	Extra *string `json:"extra"`
}

func attempt(object string) *handling.Attempt {
	return &handling.Attempt{
		ID: "h", Object: []byte(object), Name: "a", Namespace: "ns", UID: "u", Labels: map[string]string{"tier": "web"},
		Annotations: map[string]string{"note": "x"}, Reason: kopf.ReasonUpdate, Retry: 2, Config: &rest.Config{Host: "h"}, Memos: new(handling.Memos),
	}
}

// run calls a bound function with an object.
func run(f Func, object string) handling.Outcome { return f.run(context.Background(), attempt(object)) }

// permanent tells whether an error gives the handler up.
func permanent(err error) bool {
	_, ok := errors.AsType[*kopf.PermanentError](err)
	return ok
}

func TestACallHasWhatAuthorsAskFor(t *testing.T) {
	out := run(Bind(func(_ context.Context, c *Call[Spec[thingSpec]]) (any, error) {
		tier, hasTier := c.Label("tier")
		_, hasOther := c.Annotation("other")
		note, _ := c.Annotation("note")
		c.Labels()["tier"], c.Annotations()["note"] = "changed", "changed"
		c.Config().Host = "changed"
		c.Raw()[0] = '!'
		got := []any{c.Object().Spec.Size, c.Name(), c.Namespace(), c.UID(), tier, hasTier, hasOther, note, c.Labels()["tier"],
			c.Annotations()["note"], string(c.Reason()), c.Retry(), c.Config().Host, string(c.Raw())}
		return got, nil
	}), `{"spec":{"size":9007199254740993}}`)
	want := `[9007199254740993,"a","ns","u","web",true,false,"x","web","x","update",2,"h","{\"spec\":{\"size\":9007199254740993}}"]`
	// A map that was handed out is the caller's: the next one is not changed.
	if string(out.Result) != want || out.Err != nil {
		t.Errorf("got  %s, %v\nwant %s", out.Result, out.Err, want)
	}
}

func TestBindResults(t *testing.T) {
	var none *thingStatus
	for name, c := range map[string]struct {
		result any
		err    error
		want   string
		fails  bool
	}{
		"nothing":       {},
		"a value":       {result: map[string]int{"a": 1}, want: `{"a":1}`},
		"zero":          {result: 0, want: `0`},
		"a nil pointer": {result: none},
		"a nil map":     {result: map[string]int(nil)},
		"with an error": {result: 1, err: errors.New("no")},
		"unencodable":   {result: math.NaN(), fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			out := run(Bind(func(context.Context, *Call[None]) (any, error) { return c.result, c.err }), `{}`)
			if string(out.Result) != c.want || permanent(out.Err) != c.fails || c.err != nil && !errors.Is(out.Err, c.err) {
				t.Errorf("%s, %v", out.Result, out.Err)
			}
		})
	}
}

// An object that does not decode fails the handler for good; one whose handler needs nothing of it is not decoded.
func TestBindDecodes(t *testing.T) {
	never := func(context.Context, *Call[Spec[thingSpec]]) (any, error) { t.Error("called"); return nil, nil }
	if out := run(Bind(never), `{"spec":{"size":"large"}}`); !permanent(out.Err) || !strings.Contains(out.Err.Error(), "size") {
		t.Error(out.Err)
	}
	// Names are told apart by case, as the API server does.
	out := run(Bind(func(_ context.Context, c *Call[Spec[thingSpec]]) (any, error) { return c.Object().Spec.Size, nil }), `{"spec":{"SIZE":1}}`)
	if string(out.Result) != "0" {
		t.Errorf("%s, %v", out.Result, out.Err)
	}
	if out := run(Bind(func(context.Context, *Call[None]) (any, error) { return 1, nil }), `no JSON`); out.Err != nil {
		t.Error(out.Err)
	}
}

// sides are what a bound function was called with.
type sides struct{ Old, New any }

func TestBindChange(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		bind     func(got *sides) Func
		want     sides
		fails    bool
	}{
		"values": {
			old: `1`, new: `2`, want: sides{int64(1), int64(2)},
			bind: func(got *sides) Func { return changing[int64, int64](got) },
		},
		"absence is zero": {
			new: `2`, want: sides{int64(0), int64(2)},
			bind: func(got *sides) Func { return changing[int64, int64](got) },
		},
		"absence is nil": {
			new: `2`, want: sides{(*int64)(nil), new(int64(2))},
			bind: func(got *sides) Func { return changing[*int64, *int64](got) },
		},
		"a null": {
			old: `null`, new: `2`, want: sides{int64(0), int64(2)},
			bind: func(got *sides) Func { return changing[int64, int64](got) },
		},
		"raw tells absence from null": {
			new: `null`, want: sides{kopf.Raw(nil), kopf.Raw("null")},
			bind: func(got *sides) Func { return changing[kopf.Raw, kopf.Raw](got) },
		},
		"a part": {
			old: `{"spec":{"size":1}}`, new: `{"spec":{}}`, want: sides{int64(1), int64(0)},
			bind: func(got *sides) Func { return changing[int64, int64](got, "spec", "size") },
		},
		"a part of nothing": {
			new: `{"spec":{"size":1}}`, want: sides{int64(0), int64(1)},
			bind: func(got *sides) Func { return changing[int64, int64](got, "spec", "size") },
		},
		"different types": {
			old: `{"size":1}`, new: `{"size":2}`, want: sides{thingSpec{Size: 1}, kopf.Raw(`{"size":2}`)},
			bind: func(got *sides) Func { return changing[thingSpec, kopf.Raw](got) },
		},
		"another type": {
			old: `"large"`, new: `2`, fails: true,
			bind: func(got *sides) Func { return changing[int64, int64](got) },
		},
		"another type now": {
			old: `1`, new: `{}`, fails: true,
			bind: func(got *sides) Func { return changing[int64, int64](got) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got sides
			a := attempt(`{}`)
			if c.old != "" {
				a.Old = kopf.Raw(c.old)
			}
			a.New = kopf.Raw(c.new)
			out := c.bind(&got).run(context.Background(), a)
			if permanent(out.Err) != c.fails {
				t.Fatal(out.Err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// changing binds a function that keeps the sides it is called with.
func changing[O, N any](got *sides, path ...string) Func {
	return BindChange(func(_ context.Context, _ *Call[None], old O, now N) (any, error) {
		got.Old, got.New = old, now
		return nil, nil
	}, path...)
}

func TestEdit(t *testing.T) {
	const object = `{"metadata":{},"spec":{"size":1,"names":["a"]},"status":{"replicas":1,"deep":{"ready":false,"count":0},"extra":null}}`
	grow := func(v *thing) { v.Spec.Size++; v.Status.Replicas++ }
	for name, c := range map[string]struct {
		handle func(c *Call[thing]) error
		parts  []string
		edits  int
		fails  bool
	}{
		"nothing":            {handle: func(c *Call[thing]) error { return nil }},
		"all":                {handle: func(c *Call[thing]) error { grow(c.Edit()); return nil }, edits: 1},
		"a part":             {handle: func(c *Call[thing]) error { grow(c.Edit("status")); return nil }, parts: []string{"status"}, edits: 1},
		"two parts":          {handle: func(c *Call[thing]) error { c.Edit("status"); grow(c.Edit("spec")); return nil }, parts: []string{"status", "spec"}, edits: 1},
		"a part and all":     {handle: func(c *Call[thing]) error { c.Edit("status"); grow(c.Edit()); return nil }, edits: 1},
		"all and a part":     {handle: func(c *Call[thing]) error { grow(c.Edit()); c.Edit("status"); return nil }, edits: 1},
		"although it failed": {handle: func(c *Call[thing]) error { grow(c.Edit()); return errors.New("no") }, edits: 1, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			out := run(Bind(func(_ context.Context, call *Call[thing]) (any, error) { return nil, c.handle(call) }), object)
			if len(out.Edits) != c.edits || (out.Err != nil) != c.fails {
				t.Fatalf("%+v", out)
			}
			if c.edits == 0 {
				return
			}
			e := out.Edits[0]
			before, after := decode(t, e.Before), decode(t, e.After)
			if d := cmp.Diff(c.parts, e.Parts); d != "" {
				t.Error(d)
			}
			if was, is := get(before, "spec", "size"), get(after, "spec", "size"); was != int64(1) || is != int64(2) {
				t.Errorf("from %v to %v", was, is)
			}
		})
	}
}

func decode(t *testing.T, data []byte) map[string]any {
	t.Helper()
	object, err := tree.DecodeObject(data)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func get(object map[string]any, path ...string) any {
	v, _ := tree.Get(object, path...)
	return v
}

// An edit that does not encode fails the handler, whose own error is not lost and says more about what comes next.
func TestEditsThatDoNotEncode(t *testing.T) {
	type view struct {
		Spec struct {
			Share float64 `json:"share"`
		} `json:"spec"`
	}
	own := errors.New("own")
	for name, c := range map[string]struct {
		err   error
		fails bool
	}{
		"no error":  {nil, true},
		"an error":  {own, true},
		"temporary": {kopf.Temporary(own, 0), true},
	} {
		out := run(Bind(func(_ context.Context, call *Call[view]) (any, error) {
			call.Edit().Spec.Share = math.Inf(1)
			call.Patch().Set(1, "spec", "x")
			return 1, c.err
		}), `{"spec":{"share":1}}`)
		if permanent(out.Err) != c.fails || c.err != nil && !errors.Is(out.Err, own) || len(out.Edits) > 0 || out.Result != nil || out.Patch.Empty() {
			t.Errorf("%s: %+v", name, out)
		}
	}
	if v := handling.Judge(kopf.Policy{}, run(Bind(func(_ context.Context, call *Call[view]) (any, error) {
		call.Edit().Spec.Share = math.Inf(1)
		return nil, kopf.Temporary(own, 0)
	}), `{}`).Err, handling.Attempted{Retries: 1}); v.Done {
		t.Error("a handler that asks for another attempt does not get it")
	}
}

func TestPatchIsPassedOn(t *testing.T) {
	out := run(Bind(func(_ context.Context, c *Call[None]) (any, error) {
		c.Patch().Set(1, "a")
		c.Patch().Set(2, "b")
		return nil, errors.New("no")
	}), `{}`)
	data, err := json.Marshal(out.Patch)
	if string(data) != `{"a":1,"b":2}` || err != nil || out.Err == nil {
		t.Errorf("%s, %v", data, err)
	}
	if out := run(Bind(func(context.Context, *Call[None]) (any, error) { return nil, nil }), `{}`); out.Patch != nil {
		t.Error("there is a patch that nobody asked for")
	}
}

func TestIntoStatus(t *testing.T) {
	text := ""
	var none *thingStatus
	deep := thingStatus{}
	deep.Deep.Count = 2
	for name, c := range map[string]struct {
		result any
		want   string // "" is no status
		fails  bool
	}{
		"nothing":               {result: nil},
		"a nil pointer":         {result: none},
		"zero":                  {result: thingStatus{}, want: `{}`},
		"a pointer":             {result: &thingStatus{Phase: "ready"}, want: `{"phase":"ready"}`},
		"what is set":           {result: thingStatus{Replicas: 3, Parts: map[string]int{"a": 0}}, want: `{"replicas":3,"parts":{"a":0}}`},
		"deep":                  {result: deep, want: `{"deep":{"count":2}}`},
		"a pointer to zero":     {result: thingStatus{Extra: &text}, want: `{"extra":""}`},
		"what is no object":     {result: 5, fails: true},
		"what does not encode":  {result: map[string]any{"a": math.NaN()}, fails: true},
		"a map, which has none": {result: map[string]int{"a": 0}, want: `{"a":0}`},
	} {
		t.Run(name, func(t *testing.T) {
			out := run(Bind(func(_ context.Context, call *Call[None]) (any, error) { return call.IntoStatus(c.result, nil) }), `{}`)
			if permanent(out.Err) != c.fails || out.Result != nil {
				t.Fatalf("%+v", out)
			}
			var got any
			if out.Status != nil {
				got = out.Status
			}
			var want any
			if c.want != "" {
				want = decode(t, []byte(c.want))
			}
			if !tree.Equal(got, want) || (got == nil) != (want == nil) {
				t.Errorf("status %v, want %v", got, want)
			}
		})
	}
	failed := errors.New("no")
	if out := run(Bind(func(_ context.Context, c *Call[None]) (any, error) {
		return c.IntoStatus(thingStatus{Phase: "x"}, failed)
	}), `{}`); out.Status != nil || !errors.Is(out.Err, failed) {
		t.Errorf("%+v", out)
	}
}

func TestMemos(t *testing.T) {
	var counts, others MemoKey[int]
	a, b := attempt(`{}`), attempt(`{}`)
	grow := func(key *MemoKey[int]) Func {
		return Bind(func(_ context.Context, c *Call[None]) (any, error) {
			m := Memo(c, key)
			m.Value++
			return m.Value, nil
		})
	}
	for _, step := range []struct {
		on   *handling.Attempt
		key  *MemoKey[int]
		want string
	}{{a, &counts, "1"}, {a, &counts, "2"}, {a, &others, "1"}, {b, &counts, "1"}, {a, &counts, "3"}} {
		if out := grow(step.key).run(context.Background(), step.on); string(out.Result) != step.want {
			t.Errorf("got %s, want %s", out.Result, step.want)
		}
	}
}
