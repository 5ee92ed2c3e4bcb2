package output_test

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/generator"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// cases is the directory of the programs that are right: each is a package, or several, with its generated files beside it as the golden
// output. What a program prints is in prints.txt.
const cases = "../../testdata/generator/ok"

// TestGolden generates every case and compares the files, then compiles all of them and runs those whose output is known.
func TestGolden(t *testing.T) {
	root, err := filepath.Abs(cases)
	if err != nil {
		t.Fatal(err)
	}
	dirs := operators(t, root)
	if len(dirs) == 0 {
		t.Fatal("no cases")
	}
	made := map[string]bool{}
	for _, dir := range dirs {
		name, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			result, diags, err := generator.Generate(context.Background(), generator.Config{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range diags.Sorted() {
				t.Error(d)
			}
			for _, f := range result.Files {
				made[f.Path] = true
				golden(t, f.Path, f.Data)
			}
		})
	}
	for _, path := range generated(t, root) {
		if !made[path] {
			t.Errorf("%s is not generated any more", path)
		}
	}
	if t.Failed() {
		return
	}
	t.Run("compile", func(t *testing.T) {
		goCommand(t, root, "vet", "./...")
	})
	for _, dir := range dirs {
		path := filepath.Join(dir, "prints.txt")
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		t.Run("run "+filepath.Base(dir), func(t *testing.T) {
			golden(t, path, goCommand(t, dir, "run", "."))
		})
	}
}

// operators lists the packages that are generated for.
func operators(t *testing.T, root string) []string {
	t.Helper()
	var dirs []string
	walk(t, root, func(path string) {
		if strings.HasSuffix(path, ".go") {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "//go:generate go tool kopfgen") {
				dirs = append(dirs, filepath.Dir(path))
			}
		}
	})
	return slices.Compact(dirs)
}

// generated lists the golden files.
func generated(t *testing.T, root string) []string {
	t.Helper()
	var files []string
	walk(t, root, func(path string) {
		if strings.HasPrefix(filepath.Base(path), "zz_generated.") || strings.HasSuffix(path, ".yaml") {
			files = append(files, path)
		}
	})
	return files
}

func walk(t *testing.T, root string, visit func(path string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			visit(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// golden compares data with a file, or writes it.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func goCommand(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return out
}
