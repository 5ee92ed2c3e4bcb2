package storage

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/internal/annotation"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// ids of the handlers in the recorded traffic.
var ids = []string{
	"create_fn", "create_perm", "create_items/spec.items", "create_items/spec.items/item1", "create_items/spec.items/item2",
	"field_fn/spec.field", "update_fn",
}

// A real Kopf created, updated and deleted an object. For what it stored, step by step, the same patches are made.
func TestPatchesAreKopfs(t *testing.T) {
	file, err := os.Open("testdata/kopf-patches.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var s Storage
	byName := map[string]string{}
	for _, id := range ids {
		byName[s.Key(id)] = id
	}
	current := map[string]any{"metadata": map[string]any{"name": "kopf-example-1"}}
	steps := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		recorded := object(t, lines.Text())
		w, touched := asWrite(t, byName, recorded)
		next := tree.Merge(current, recorded).(map[string]any)
		if !touched {
			steps++
			got := s.Patch(current, w)
			if d := cmp.Diff(withDecodedBase(t, recorded), withDecodedBase(t, got)); d != "" {
				t.Errorf("step %d: %s", steps, d)
			}
			if again := s.Patch(next, w); again != nil {
				t.Errorf("step %d: writing it again takes %v", steps, again)
			}
			checkRead(t, next, w)
		}
		current = next
	}
	if steps != 10 {
		t.Errorf("%d steps were recorded", steps)
	}
	if left := recordsIn(current); len(left) != 0 {
		t.Errorf("in the end, %v is left", left)
	}
}

// asWrite tells what Kopf wanted stored, or that it only woke itself up.
func asWrite(t *testing.T, ids map[string]string, patch map[string]any) (w Write, touched bool) {
	w.Records = map[string]*record.Record{}
	for name, value := range annotations(patch) {
		text, _ := value.(string)
		switch key := strings.TrimPrefix(name, annotation.KopfPrefix+"/"); {
		case key == annotation.Touch:
			touched = value != nil
		case key == annotation.LastHandled:
			w.Base = object(t, text)
		case ids[name] == "":
			t.Fatalf("whose is %s?", name)
		case value == nil:
			w.Records[ids[name]] = nil
		default:
			r, err := record.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			w.Records[ids[name]] = r
		}
	}
	return w, touched
}

// withDecodedBase decodes the stored essence, whose members Kopf orders as they came.
func withDecodedBase(t *testing.T, patch map[string]any) map[string]any {
	out := tree.Copy(patch).(map[string]any)
	if base, ok := annotations(out)[annotation.KopfPrefix+"/"+annotation.LastHandled].(string); ok {
		if !strings.HasSuffix(base, "}\n") || strings.Contains(base, " ") {
			t.Errorf("%q is not compact with a newline", base)
		}
		annotations(out)[annotation.KopfPrefix+"/"+annotation.LastHandled] = object(t, base)
	}
	return out
}

// checkRead tests that what was written is what is read.
func checkRead(t *testing.T, current map[string]any, w Write) {
	t.Helper()
	var s Storage
	records, errs := s.Fetch(current, ids)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for id, want := range w.Records {
		if !records[id].Equal(want) {
			t.Errorf("%s is read as %+v, want %+v", id, records[id], want)
		}
	}
	if open := recordsIn(current); len(open) != len(records) {
		t.Errorf("%q are open, %d have a handler", open, len(records))
	}
	base, ok, err := s.Base(current)
	if err != nil || w.Base != nil && (!ok || !tree.Equal(base, w.Base)) {
		t.Errorf("base is read as %v, %v, %v", base, ok, err)
	}
}

// recordsIn returns the names of the annotations that hold progress records: a start is what only these have.
func recordsIn(object map[string]any) []string {
	var names []string
	for name, text := range annotations(object) {
		text, _ := text.(string)
		if r, err := record.Parse([]byte(text)); err == nil && !r.Started.IsZero() {
			names = append(names, name)
		}
	}
	return names
}
