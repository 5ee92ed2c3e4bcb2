package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/generator/output"
)

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	dir := t.TempDir()
	fresh, old, missing := filepath.Join(dir, "fresh.go"), filepath.Join(dir, "old.go"), filepath.Join(dir, "config", "crd", "new.yaml")
	for path, text := range map[string]string{fresh: "same", old: "before"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(fresh, long, long); err != nil {
		t.Fatal(err)
	}
	files := []output.File{{Path: fresh, Data: []byte("same")}, {Path: old, Data: []byte("after")}, {Path: missing, Data: []byte("new")}}
	list, err := stale(files)
	if err != nil || len(list) != 2 || list[0].Path != old || list[1].Path != missing {
		t.Fatalf("got %v, %v", list, err)
	}
	if err := write(list); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{fresh: "same", old: "after", missing: "new"} {
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v", path, got, err)
		}
	}
	info, err := os.Stat(fresh)
	if err != nil || info.ModTime().After(long.Add(time.Minute)) {
		t.Errorf("a fresh file was touched")
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFailedWriteLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	// A directory in the file's place cannot be replaced.
	path := filepath.Join(dir, "taken.go")
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := write([]output.File{{Path: path, Data: []byte("x")}}); err == nil {
		t.Fatal("no error")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestRelative(t *testing.T) {
	for _, c := range [][3]string{
		{"/a/b", "/a/b/x.go", "x.go"}, {"/a/b", "/a/c/x.go", "../c/x.go"}, {"/a/b/c/d", "/x.go", "/x.go"}, {"/a", "", ""},
	} {
		if got := relative(c[0], c[1]); got != c[2] {
			t.Errorf("%s from %s: got %s, want %s", c[1], c[0], got, c[2])
		}
	}
}
