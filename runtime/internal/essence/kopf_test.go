package essence

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Random objects, and what Kopf 1.45.2 made of them.
func TestEssencesAreKopfs(t *testing.T) {
	data, err := os.ReadFile("testdata/kopf-essences.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(data)) {
		count++
		var c struct {
			Prefix          string
			Extra           [][]string
			Object, Essence json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		got := Rules{Prefix: c.Prefix, Extra: c.Extra}.Build(object(t, string(c.Object)))
		want, err := tree.DecodeObject(c.Essence)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s%s", line, d)
		}
	}
	if count != 200 {
		t.Errorf("%d cases", count)
	}
}
