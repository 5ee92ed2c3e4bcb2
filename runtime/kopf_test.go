package kopf_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

func TestErrorsKeepWhatTheyMark(t *testing.T) {
	cause := errors.New("no luck")
	for name, err := range map[string]error{"temporary": kopf.Temporary(cause, time.Second), "permanent": kopf.Permanent(cause)} {
		if !errors.Is(err, cause) || err.Error() != cause.Error() {
			t.Errorf("%s: %v does not stand for its cause", name, err)
		}
	}
	if err := kopf.Temporary(nil, time.Second); err != nil {
		t.Errorf("Temporary(nil) = %v", err)
	}
	if err := kopf.Permanent(nil); err != nil {
		t.Errorf("Permanent(nil) = %v", err)
	}
}

func TestRawTellsAbsenceFromNull(t *testing.T) {
	var absent kopf.Raw
	if err := absent.Decode(new(int)); err == nil {
		t.Error("an absent value decodes")
	}
	data, err := json.Marshal(map[string]kopf.Raw{"absent": nil, "null": kopf.Raw("null"), "one": kopf.Raw("1")})
	if err != nil || string(data) != `{"absent":null,"null":null,"one":1}` {
		t.Errorf("got %s, %v", data, err)
	}
	var r kopf.Raw
	if err := json.Unmarshal([]byte(` {"a": 1} `), &r); err != nil || r.String() != `{"a": 1}` {
		t.Errorf("got %s, %v", r, err)
	}
}

func TestDiffQuestions(t *testing.T) {
	d := kopf.Diff{
		{Op: kopf.OpChange, Path: []string{"spec", "size"}, Old: kopf.Raw("1"), New: kopf.Raw("2")},
		{Op: kopf.OpAdd, Path: []string{"metadata", "labels", "a"}, New: kopf.Raw(`"b"`)},
		{Op: kopf.OpRemove, Path: []string{"spec", "sizes"}, Old: kopf.Raw("[]")},
	}
	for _, c := range []struct {
		path []string
		want bool
	}{
		{[]string{"spec", "size"}, true},
		{[]string{"spec"}, true},
		{[]string{"spec", "size", "x"}, true},
		{[]string{"spec", "si"}, false},
		{nil, true},
		{[]string{"status"}, false},
	} {
		if got := d.Touches(c.path...); got != c.want {
			t.Errorf("Touches(%q) = %v", c.path, got)
		}
	}
	if diff := cmp.Diff(d[1:2], d.Only("metadata")); diff != "" {
		t.Errorf("Only: %s", diff)
	}
	if diff := cmp.Diff(kopf.Diff{d[1]}, d.Without("spec")); diff != "" {
		t.Errorf("Without: %s", diff)
	}
	if got := d[0].String() + "\n" + d[1].String() + "\n" + d[2].String(); got != "~ spec.size: 1 -> 2\n+ metadata.labels.a: \"b\"\n- spec.sizes: []" {
		t.Errorf("String: %s", got)
	}
}

func TestPatch(t *testing.T) {
	var p kopf.Patch
	if !p.Empty() {
		t.Error("a new patch is not empty")
	}
	labels := map[string]string{"a": "1"}
	p.Set(labels, "metadata", "labels")
	labels["a"] = "changed later"
	p.Set("2", "metadata", "labels", "b")
	p.Set(int64(math.MaxInt64), "spec", "big")
	p.Set([]int{1}, "spec", "list")
	p.Remove("spec", "old")
	if err := p.Merge(struct {
		Status map[string]int `json:"status"`
	}{map[string]int{"n": 1}}); err != nil {
		t.Error(err)
	}
	p.Set(map[string]int{"m": 2}, "status")
	got, err := json.Marshal(&p)
	want := `{"metadata":{"labels":{"a":"1","b":"2"}},"spec":{"big":9223372036854775807,"list":[1],"old":null},"status":{"m":2,"n":1}}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}

	var f kopf.Patch
	f.Func(func(map[string]any) error { return nil })
	if f.Empty() || len(f.Funcs()) != 1 {
		t.Error("a function is not part of the patch")
	}
}

func TestPatchMistakesSurface(t *testing.T) {
	for name, spoil := range map[string]func(*kopf.Patch){
		"a value that does not encode": func(p *kopf.Patch) { p.Set(make(chan int), "spec") },
		"an empty path":                func(p *kopf.Patch) { p.Set(1) },
	} {
		var p kopf.Patch
		spoil(&p)
		if _, err := json.Marshal(&p); err == nil || p.Empty() {
			t.Errorf("%s: no error", name)
		}
	}
	var p kopf.Patch
	if err := p.Merge([]int{1}); err == nil {
		t.Error("a list is merged")
	}
}

func TestExecuteOutsideOfAHandler(t *testing.T) {
	if err := kopf.Execute(context.Background(), kopf.Sub{ID: "a"}); err == nil {
		t.Error("sub-handlers run outside of a handler")
	}
}
