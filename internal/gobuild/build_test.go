package gobuild

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// module writes a module with a program into a directory of its own.
func module(t *testing.T, program string) Program {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module example.com/hello\n\ngo 1.26\n", "main.go": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Program{Dir: dir, Package: ".", Output: filepath.Join(dir, "out", "hello"), Env: []string{"GOWORK=off"}}
}

func TestBuild(t *testing.T) {
	p := module(t, "package main\n\nvar text string\n\nfunc main() { println(text) }\n")
	p.Flags = []string{"-ldflags", "-X main.text=linked"}
	if err := p.Build(t.Context(), NewProgress(nil)); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(p.Output).CombinedOutput()
	if err != nil || string(out) != "linked\n" {
		t.Errorf("the program says %q, %v", out, err)
	}
}

func TestErrorsAreShown(t *testing.T) {
	p := module(t, "package main\n\nfunc main() { undefinedName() }\n")
	err := p.Build(t.Context(), NewProgress(nil))
	if err == nil || !strings.Contains(err.Error(), "main.go:3:15: undefined: undefinedName") {
		t.Errorf("got %v, want the compiler's message", err)
	}
}

func TestProgressIsReportedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		progress := NewProgress(&out)
		progress.Show("looking")
		for i := range 30 {
			progress.Show("compiling: %d of 30", i+1)
			time.Sleep(time.Second)
		}
		progress.Show("linking")
		progress.End()
		const want = "compiling: 11 of 30 (10s)\ncompiling: 21 of 30 (20s)\nlinking (30s)\n"
		if got := out.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
