package edit

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// TestListApply makes an edit on a list that others have changed meanwhile.
func TestListApply(t *testing.T) {
	ports := func(edit func([]Port) []Port) func(*Widget) {
		return func(w *Widget) { w.Spec.Ports = edit(w.Spec.Ports) }
	}
	rules := func(edit func([]Rule) []Rule) func(*Widget) {
		return func(w *Widget) { w.Spec.Rules = edit(w.Spec.Rules) }
	}
	editB := ports(func(p []Port) []Port { p[1].Port = 20; return p })
	addC := ports(func(p []Port) []Port { return append(p, Port{Name: "c"}) })
	removeA := ports(func(p []Port) []Port { return p[1:] })
	swap := ports(func(p []Port) []Port { slices.Reverse(p); return p })
	clearAll := ports(func([]Port) []Port { return nil })
	addRule := rules(func(r []Rule) []Rule { return append(r, Rule{Host: "n"}) })
	editRule := rules(func(r []Rule) []Rule { r[0].Path = "/"; return r })
	const read = `[{"name":"a","x":1},{"name":"b","x":2}]`
	const readRules = `[{"host":"a","x":1},{"host":"b","x":2}]`
	for _, c := range []struct {
		name, read   string
		edit         func(*Widget)
		newest, want string
	}{
		{"edited, and others edited the same element", read, editB, `[{"name":"a","x":1},{"name":"b","x":3,"y":4}]`,
			`[{"name":"a","x":1},{"name":"b","port":20,"x":3,"y":4}]`},
		{"edited, and others edited another", read, editB, `[{"name":"a","x":9},{"name":"b","x":2}]`,
			`[{"name":"a","x":9},{"name":"b","port":20,"x":2}]`},
		{"edited, and others put one before", read, editB, `[{"name":"z"},{"name":"a","x":1},{"name":"b","x":2}]`,
			`[{"name":"z"},{"name":"a","x":1},{"name":"b","port":20,"x":2}]`},
		{"edited, and others removed it", read, editB, `[{"name":"a","x":1}]`, `[{"name":"a","x":1},{"name":"b","port":20,"x":2}]`},
		{"edited, and others removed another", read, editB, `[{"name":"b","x":2}]`, `[{"name":"b","port":20,"x":2}]`},
		{"edited, and others removed the list", read, editB, `null`, `[{"name":"b","port":20,"x":2}]`},
		{"edited, and others changed the order", read, editB, `[{"name":"b","x":2},{"name":"a","x":1}]`,
			`[{"name":"b","port":20,"x":2},{"name":"a","x":1}]`},
		{"added, and others added another", read, addC, `[{"name":"a","x":1},{"name":"b","x":2},{"name":"d"}]`,
			`[{"name":"a","x":1},{"name":"b","x":2},{"name":"d"},{"name":"c"}]`},
		{"added, and others added one with the same key", read, addC, `[{"name":"c","port":5,"x":3},{"name":"a","x":1},{"name":"b","x":2}]`,
			`[{"name":"c","port":5,"x":3},{"name":"a","x":1},{"name":"b","x":2}]`},
		{"removed, and others edited it", read, removeA, `[{"name":"a","x":9},{"name":"b","x":2}]`, `[{"name":"b","x":2}]`},
		{"removed, and others removed it", read, removeA, `[{"name":"b","x":2}]`, `[{"name":"b","x":2}]`},
		{"moved, and others added one", read, swap, `[{"name":"a","x":1},{"name":"d"},{"name":"b","x":2}]`,
			`[{"name":"b","x":2},{"name":"a","x":1},{"name":"d"}]`},
		{"cleared", read, clearAll, read, `null`},
		{"cleared, and others added one", read, clearAll, `[{"name":"a","x":1},{"name":"b","x":2},{"name":"d"}]`, `[{"name":"d"}]`},
		{"no keys: added, and others added one", readRules, addRule, `[{"host":"z"},{"host":"a","x":1},{"host":"b","x":2}]`,
			`[{"host":"z"},{"host":"a","x":1},{"host":"b","x":2},{"host":"n"}]`},
		{"no keys: added, and it is there already, with a default", readRules, addRule,
			`[{"host":"a","x":1},{"host":"b","x":2},{"host":"n","x":0}]`, `[{"host":"a","x":1},{"host":"b","x":2},{"host":"n","x":0}]`},
		{"no keys: edited, and others edited it", readRules, editRule, `[{"host":"a","x":5},{"host":"b","x":2}]`,
			`[{"host":"a","path":"/","x":5},{"host":"b","x":2}]`},
		{"no keys: edited, and it is done already", readRules, editRule, `[{"host":"z"},{"host":"a","path":"/","x":1},{"host":"b","x":2}]`,
			`[{"host":"z"},{"host":"a","path":"/","x":1},{"host":"b","x":2}]`},
		{"no keys: edited, and others removed it", readRules, editRule, `[{"host":"b","x":2}]`,
			`[{"host":"a","path":"/","x":1},{"host":"b","x":2}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := "ports"
			if c.read == readRules {
				name = "rules"
			}
			raw := `{"spec":{"` + name + `":` + c.read + `}}`
			change, err := Diff([]byte(raw), around(t, raw, c.edit))
			if err != nil || len(change.Lists) != 1 {
				t.Fatalf("Diff = %+v, %v", change, err)
			}
			newest := parse(t, c.newest)
			unchanged := tree.Copy(newest)
			got := change.Lists[0].Apply(newest)
			want := text(t, parse(t, c.want))
			if diff := cmp.Diff(want, text(t, got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if again := text(t, change.Lists[0].Apply(got)); again != want {
				t.Errorf("made again: %s", again)
			}
			if !tree.Equal(newest, unchanged) {
				t.Errorf("the newest list was changed in place: %v", newest)
			}
		})
	}
}

// TestListOfAnotherLength: a type whose own decoding drops elements says nothing about their origin.
func TestListOfAnotherLength(t *testing.T) {
	change, err := Diff([]byte(`{"spec":{"args":["a","-","b"]}}`),
		Edit{Before: []byte(`{"spec":{"args":["a","b"]}}`), After: []byte(`{"spec":{"args":["a","b","c"]}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"spec":{"args":["a","b","c"]}}`, text(t, change.Object)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestListsBesideEachOther: each edit knows its own path.
func TestListsBesideEachOther(t *testing.T) {
	change, err := Diff([]byte(`{"spec":{"a":{"b":{"c":[1],"d":[1],"e":[1]}}}}`), Edit{
		Before: []byte(`{"spec":{"a":{"b":{"c":[1],"d":[1],"e":[1]}}}}`),
		After:  []byte(`{"spec":{"a":{"b":{"c":[2],"d":[3],"e":[4]}}}}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	var paths [][]string
	for _, l := range change.Lists {
		paths = append(paths, l.Path)
	}
	want := [][]string{{"spec", "a", "b", "c"}, {"spec", "a", "b", "d"}, {"spec", "a", "b", "e"}}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
