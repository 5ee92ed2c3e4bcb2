package operator

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/index"
)

// An index is what authors read.
var _ kopf.Index[string, int] = NewIndex[string, int]("")

// rowsOf returns what an index holds.
func rowsOf[X any](ix kopf.Index[string, X]) map[string][]X {
	out := map[string][]X{}
	for key := range ix.Keys() {
		out[key] = slices.Collect(ix.Get(key))
	}
	return out
}

func TestBindIndex(t *testing.T) {
	ix := NewIndex[string, int64]("sizes")
	var fails error
	f := BindIndex(ix, func(_ context.Context, c *Call[thing]) (map[string][]int64, error) {
		size := c.Object().Spec.Size
		return RowIf("size", size, size > 0), fails
	})
	put := func(object string) error {
		out := run(f, object)
		if out.Err == nil {
			out.Rows(index.Object{1})
		}
		return out.Err
	}
	if err := put(`{"spec":{"size":3}}`); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]int64{"size": {3}}, rowsOf(ix)); diff != "" {
		t.Error(diff)
	}
	fails = errors.New("no")
	if err := put(`{"spec":{"size":4}}`); !errors.Is(err, fails) {
		t.Errorf("the error is %v", err)
	}
	if err := put(`{"spec":{"size":"big"}}`); !permanent(err) {
		t.Errorf("an object that does not decode: %v", err)
	}
	if diff := cmp.Diff(map[string][]int64{"size": {3}}, rowsOf(ix)); diff != "" {
		t.Error("failures have changed the index", diff)
	}
	fails = nil
	if err := put(`{"spec":{"size":0}}`); err != nil || ix.Len() != 0 {
		t.Errorf("nothing does not remove the rows: %v, %v", rowsOf(ix), err)
	}
}

func TestRowsOfIndexFunctions(t *testing.T) {
	for name, c := range map[string]struct{ got, want map[string][]int }{
		"one":        {Row("a", 1), map[string][]int{"a": {1}}},
		"one if so":  {RowIf("a", 1, true), map[string][]int{"a": {1}}},
		"one if not": {RowIf("a", 1, false), nil},
		"some":       {Rows(map[string]int{"a": 1, "b": 2}), map[string][]int{"a": {1}, "b": {2}}},
		"none":       {Rows[string, int](nil), map[string][]int{}},
	} {
		if !maps.EqualFunc(c.got, c.want, slices.Equal) {
			t.Errorf("%s: %v instead of %v", name, c.got, c.want)
		}
	}
}

func TestHandlersOfOtherKindsAreResolved(t *testing.T) {
	ix := NewIndex[string, int]("sizes")
	fill := BindIndex(ix, func(context.Context, *Call[None]) (map[string][]int, error) { return nil, nil })
	plain := Bind(func(context.Context, *Call[None]) (any, error) { return nil, nil })
	retried := kopf.Policy{Retries: 3}
	for name, c := range map[string]struct {
		handler Handler
		wrong   string
		once    bool
		errors  kopf.ErrorsMode
	}{
		"an index":                  {handler: Handler{ID: "sizes", On: OnIndex, Run: fill}, errors: kopf.ErrorsIgnored},
		"an index that is retried":  {handler: Handler{ID: "sizes", On: OnIndex, Run: fill, Policy: kopf.Policy{Errors: kopf.ErrorsTemporary}}, errors: kopf.ErrorsTemporary},
		"an event":                  {handler: Handler{ID: "seen", On: OnEvent, Run: plain}, once: true},
		"an event that is retried":  {handler: Handler{ID: "seen", On: OnEvent, Run: plain, Policy: retried}},
		"retried by a function":     {handler: Handler{ID: "seen", On: OnEvent, Run: plain, PolicyFunc: func() kopf.Policy { return retried }}},
		"an index without a table":  {handler: Handler{ID: "sizes", On: OnIndex, Run: plain}, wrong: "it fills no index"},
		"an index of another id":    {handler: Handler{ID: "other", On: OnIndex, Run: fill}, wrong: `it fills the index "sizes", whose id it does not have`},
		"an index that is no index": {handler: Handler{ID: "sizes", On: OnCreate, Run: fill}, wrong: `it fills the index "sizes", but is not of that kind`},
		"an event with a last word": {handler: Handler{ID: "seen", On: OnEvent, Run: plain, Failed: plain}, wrong: "only handlers of changes"},
		"a last word that fills":    {handler: Handler{ID: "seen", On: OnCreate, Run: plain, Failed: fill}, wrong: "given up fills an index"},
		"an event and a change":     {handler: Handler{ID: "seen", On: OnEvent | OnIndex, Run: plain}, wrong: "kinds that do not go together"},
	} {
		t.Run(name, func(t *testing.T) {
			defaults := kopf.Policy{Retries: 9, Errors: kopf.ErrorsDefault}
			out, err := resolve(Resource{Handlers: []Handler{c.handler}}, "f", "p.dev", defaults, Settings{})
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("%v instead of %q", err, c.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			all := slices.Concat(out.Indexes, out.Events)
			if len(all) != 1 || len(out.Handlers) != 0 || (len(out.Indexes) == 1) != (c.handler.On == OnIndex) {
				t.Fatalf("it is not where it belongs: %+v", out)
			}
			if h := all[0]; h.Once != c.once || h.Policy.Errors != c.errors || (h.Table != nil) != (c.handler.On == OnIndex) {
				t.Errorf("it is %+v", h)
			}
		})
	}
}
