package controlplane

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestKeyCoversWhatTheBinaryDependsOn(t *testing.T) {
	write := func(dir, name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const toolchain = "go1.26"
	key := func(change func(s *source), toolchain string) string {
		t.Helper()
		s := &source{dir: t.TempDir(), kubernetes: "v1.2.3"}
		write(s.dir, "main.go", "package main")
		write(s.dir, "go.mod", "module x")
		change(s)
		key, err := s.hash(toolchain)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	original := key(func(*source) {}, toolchain)

	for name, test := range map[string]struct {
		change    func(s *source)
		toolchain string
		same      bool
	}{
		"nothing":            {change: func(*source) {}, same: true},
		"documentation":      {change: func(s *source) { write(s.dir, "README.md", "x") }, same: true},
		"a test":             {change: func(s *source) { write(s.dir, "main_test.go", "package main") }, same: true},
		"a source file":      {change: func(s *source) { write(s.dir, "main.go", "package main ") }},
		"another file":       {change: func(s *source) { write(s.dir, "more.go", "package main") }},
		"a requirement":      {change: func(s *source) { write(s.dir, "go.mod", "module y") }},
		"a checksum":         {change: func(s *source) { write(s.dir, "go.sum", "x") }},
		"the linked version": {change: func(s *source) { s.kubernetes = "v1.2.4" }},
		"the toolchain":      {change: func(*source) {}, toolchain: "go1.27"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.toolchain == "" {
				test.toolchain = toolchain
			}
			if got := key(test.change, test.toolchain); (got == original) != test.same {
				t.Errorf("key %s after the change, %s before, same should be %v", got, original, test.same)
			}
		})
	}
}

func TestOneProcessBuildsAndTheOthersWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(t.Context(), path, func() { t.Error("waited for a lock that nobody holds") })
	if err != nil {
		t.Fatal(err)
	}

	impatient, cancel := context.WithTimeout(t.Context(), lockInterval/2)
	defer cancel()
	if _, err := lock(impatient, path, func() {}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("lock that somebody else holds: got %v, want %v", err, context.DeadlineExceeded)
	}

	unlockSecond, err := lock(t.Context(), path, unlock)
	if err != nil {
		t.Fatalf("lock after it became free: %v", err)
	}
	unlockSecond()
}

func TestUnusedBinariesAreRemoved(t *testing.T) {
	cache := t.TempDir()
	for key, age := range map[string]time.Duration{"current": unusedAfter * 2, "recent": unusedAfter / 2, "old": unusedAfter * 2} {
		binary := filepath.Join(cache, key, binaryName)
		if err := os.Mkdir(filepath.Dir(binary), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(binary, nil, 0o700); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(binary, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if err := removeUnused(cache, "current"); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"current": true, "recent": true, "old": false} {
		_, err := os.Stat(filepath.Join(cache, key))
		if got := err == nil; got != want {
			t.Errorf("%s: kept %v, want %v", key, got, want)
		}
	}
}
