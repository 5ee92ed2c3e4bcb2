package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/generator"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// A block that is marked with the name of a file shows that file.
func TestFilesInDocumentsAreFresh(t *testing.T) {
	shown := 0
	for _, d := range documents(t) {
		blocks := d.blocks()
		for i := len(blocks) - 1; i >= 0; i-- { // so that the places of those before stay right
			b := blocks[i]
			file, ok := strings.CutPrefix(b.mark, "file: ")
			if !ok {
				continue
			}
			shown++
			want, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
			if err != nil {
				t.Errorf("%s: %v", d.path, err)
				continue
			}
			d.text = d.text[:b.from] + string(want) + d.text[b.to:]
		}
		fresh(t, d.path, d.text)
	}
	if shown == 0 {
		t.Error("no document shows a file: the marks are not found")
	}
}

func TestReferencesAreFresh(t *testing.T) {
	fresh(t, "docs/markers.md", markers.Reference())
	tables := generator.Tables()
	if err := diagnostic.Check(tables...); err != nil {
		t.Error(err)
	}
	fresh(t, "docs/diagnostics.md", diagnostic.Reference(tables...))
}

// fresh compares a document with what it should be, or makes it so.
func fresh(t *testing.T, path, want string) {
	t.Helper()
	path = filepath.Join(root, path)
	if got, err := os.ReadFile(path); err == nil && string(got) == want {
		return
	} else if !*update {
		t.Errorf("%s is stale, run make generate (-want +got):\n%s", path, cmp.Diff(want, string(got)))
		return
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
