package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kopfgen/kopfgen/generator/output"
)

// put writes files below a directory.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestInputs(t *testing.T) {
	root := t.TempDir()
	op := filepath.Join(root, "op")
	files := map[string]string{
		"op/go.mod": "module example.com/op\n\nreplace (\n\texample.com/lib => ../lib\n)\n", "op/go.sum": "", "op/cmd/main.go": "package main",
		"op/.git/x.go": "", "op/nested/go.mod": "module example.com/op/nested", "op/nested/x.go": "package nested",
		"op/cmd/zz_generated.kopf.go": "package main", "op/notes.txt": "",
		"lib/go.mod": "module example.com/lib\n\nreplace example.com/deep => ../deep", "lib/lib.go": "package lib",
		"deep/go.mod": "module example.com/deep", "deep/deep.go": "package deep",
	}
	put(t, root, files)
	first := inputs(filepath.Join(op, "cmd"))
	if first == "" || inputs(filepath.Join(op, "cmd")) != first {
		t.Fatalf("the digest %q of the same files is not the same", first)
	}
	for name, changes := range map[string]bool{
		"op/cmd/main.go": true, "op/cmd/new_test.go": true, "op/go.mod": true, "op/go.sum": true, "lib/lib.go": true, "deep/deep.go": true,
		"op/.git/x.go": false, "op/nested/x.go": false, "op/cmd/zz_generated.kopf.go": false, "op/notes.txt": false,
	} {
		put(t, root, map[string]string{name: files[name] + "\n// changed"})
		if changed := inputs(filepath.Join(op, "cmd")) != first; changed != changes {
			t.Errorf("a change of %s: noticed %v, want %v", name, changed, changes)
		}
		if _, old := files[name]; old {
			put(t, root, map[string]string{name: files[name]})
		} else if err := os.Remove(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "-tags=other")
	if inputs(filepath.Join(op, "cmd")) == first {
		t.Error("GOFLAGS are not noticed")
	}
}

func TestWorkspace(t *testing.T) {
	root := t.TempDir()
	put(t, root, map[string]string{
		"go.work": "go 1.26\n\nuse (\n\t./op\n\t./lib\n)\n", "op/go.mod": "module example.com/op", "op/x.go": "package op",
		"lib/go.mod": "module example.com/lib", "lib/x.go": "package lib",
	})
	first := inputs(filepath.Join(root, "op"))
	put(t, root, map[string]string{"lib/x.go": "package lib // changed"})
	if inputs(filepath.Join(root, "op")) == first {
		t.Error("another module of the workspace is not noticed")
	}
}

func TestFresh(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "record.json"), filepath.Join(dir, "out.go")
	if fresh(path, "a") {
		t.Error("fresh without a record")
	}
	put(t, dir, map[string]string{"out.go": "text"})
	keep(path, "a", []output.File{{Path: out, Data: []byte("text")}})
	if !fresh(path, "a") || fresh(path, "b") || fresh(path, "") {
		t.Error("the record does not tell the inputs apart")
	}
	put(t, dir, map[string]string{"out.go": "edited"})
	if fresh(path, "a") {
		t.Error("an edited output is not noticed")
	}
}
