package generator

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestNothingIsNeverSilent runs where there is nothing to do, which the author should hear.
func TestNothingIsNeverSilent(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "a/a.go": "package a\n", "b/b.go": "package b\n"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, pattern := range []string{"./...", "./a"} {
		result, diags, err := Generate(context.Background(), Config{Dir: dir, Patterns: []string{pattern}})
		if err != nil {
			t.Fatal(err)
		}
		found := diags.Sorted()
		if len(found) != 1 || found[0].Code != codeNothing || len(result.Files) > 0 {
			t.Errorf("%s: %v, %d files", pattern, found, len(result.Files))
		}
	}
	for _, pattern := range []string{"./gone", "."} {
		if _, diags, err := Generate(context.Background(), Config{Dir: dir, Patterns: []string{pattern}}); err == nil && diags.Err() == nil {
			t.Errorf("%s: no error", pattern)
		}
	}
}
