package generator

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/generator/binding"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const errorCases = "../testdata/generator/errors"

// cases loads all failing inputs at once, which takes a second instead of one for each, and then understands each case by itself, as if it were
// alone. The diagnostics are by case, with paths relative to it.
var cases = sync.OnceValues(func() (map[string][]diagnostic.Diagnostic, error) {
	root, err := filepath.Abs(errorCases)
	if err != nil {
		return nil, err
	}
	var diags diagnostic.List
	program, err := load(context.Background(), Config{Dir: root, Patterns: []string{"./..."}}, &diags)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	found := map[string][]diagnostic.Diagnostic{}
	for _, e := range entries {
		dir := filepath.Join(root, e.Name()) + string(filepath.Separator)
		// A case is a program of its own, and so are the packages of its directory.
		alone := *program
		alone.Packages = slices.DeleteFunc(slices.Clone(program.Packages), func(p *source.Package) bool { return !strings.HasPrefix(p.Dir+string(filepath.Separator), dir) })
		of := diags
		understand(&alone, &of)
		all := []diagnostic.Diagnostic{}
		for _, d := range of.Sorted() {
			if rel, ok := strings.CutPrefix(d.Pos.Filename, dir); ok {
				d.Pos.Filename = filepath.ToSlash(rel)
				all = append(all, d)
			}
		}
		found[e.Name()] = all
	}
	return found, nil
})

func TestErrors(t *testing.T) {
	found, err := cases()
	if err != nil {
		t.Fatal(err)
	}
	for name, diags := range found {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, d := range diags {
				b.WriteString(d.Error() + "\n")
			}
			golden := filepath.Join(errorCases, name, "want.txt")
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
			for _, d := range diags {
				if d.Pos.Line == 0 || d.Code == "" {
					t.Errorf("without position or code: %v", d)
				}
			}
		})
	}
}

// TestEveryCodeHasACase keeps the golden files complete.
func TestEveryCodeHasACase(t *testing.T) {
	found, err := cases()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, diags := range found {
		for _, d := range diags {
			seen[d.Code] = true
		}
	}
	elsewhere := map[string]string{
		"KG041": "TestLoadingFails",
		"KG079": "no input is known that causes it",
	}
	for _, table := range []diagnostic.Table{source.Codes, schema.Codes, binding.Codes, Codes} {
		for _, c := range table {
			if !seen[c.ID] && elsewhere[c.ID] == "" {
				t.Errorf("no case for %s, %s", c.ID, c.Title)
			}
		}
	}
}

func TestCodes(t *testing.T) {
	if err := diagnostic.Check(Tables()...); err != nil {
		t.Error(err)
	}
}
