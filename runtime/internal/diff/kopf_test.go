package diff

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
)

// Random states, and the diffs that Kopf 1.45.2 found between them and at a field. Kopf's order within an object is not defined.
func TestDiffsAreKopfs(t *testing.T) {
	data, err := os.ReadFile("testdata/kopf-diffs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(data)) {
		count++
		var c struct {
			Old, New      json.RawMessage
			Diff, Reduced [][4]json.RawMessage
			Path          []string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		before, after := decode(t, string(c.Old)), decode(t, string(c.New))
		if d := cmp.Diff(items(t, c.Diff), ours(t, Of(before, after))); d != "" {
			t.Errorf("%s%s", line, d)
		}
		if d := cmp.Diff(items(t, c.Reduced), ours(t, At(before, after, c.Path))); d != "" {
			t.Errorf("%s%s", line, d)
		}
	}
	if count != 200 {
		t.Errorf("%d cases", count)
	}
}

// items puts Kopf's items of operation, path, old and new into one form, sorted.
func items(t *testing.T, diff [][4]json.RawMessage) []string {
	var out []string
	for _, item := range diff {
		var text []string
		for _, part := range item {
			text = append(text, string(essence.Canonical(decode(t, string(part)))))
		}
		out = append(out, strings.Join(text, " "))
	}
	slices.Sort(out)
	return out
}

// ours puts our changes into that form.
func ours(t *testing.T, diff kopf.Diff) []string {
	var list [][4]json.RawMessage
	for _, c := range diff {
		op, _ := json.Marshal(c.Op)
		path, _ := json.Marshal(append([]string{}, c.Path...))
		before, _ := c.Old.MarshalJSON()
		after, _ := c.New.MarshalJSON()
		list = append(list, [4]json.RawMessage{op, path, before, after})
	}
	return items(t, list)
}
