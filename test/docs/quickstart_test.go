package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/internal/controlplane"
)

func TestMain(m *testing.M) {
	if os.Getenv(actAsKubectl) != "" {
		os.Exit(kubectl(os.Args[1:]))
	}
	os.Exit(controlplane.Main(m))
}

// patience is far more than anything takes that is waited for.
const patience = 5 * time.Minute

// The quick start of the README, typed as it stands in an empty directory, gives an operator that handles an object.
func TestQuickStart(t *testing.T) {
	readme := read(t, "README.md")
	steps, program := readme.marked("run: quickstart"), readme.marked("file: examples/01-minimal/main.go")
	unpublished := readme.marked("run: unpublished")
	if len(steps) != 3 || len(program) != 1 || len(unpublished) != 1 {
		t.Fatalf("the README has %d steps, %d programs and %d ways to use a clone; the test knows of 3, 1 and 1", len(steps), len(program), len(unpublished))
	}
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	user := newTerminal(t, controlplane.Shared(t).Kubeconfig())

	// "Tell Go where your clone is, instead of go get."
	const get = "go get -tool github.com/kopfgen/kopfgen/cmd/kopfgen\n"
	if !strings.Contains(steps[0], get) {
		t.Fatalf("the first step is not %q", get)
	}
	user.types(strings.Replace(steps[0], get, strings.ReplaceAll(unpublished[0], "/path/to/kopfgen", checkout), 1))
	// "Put the program above into main.go."
	if err := os.WriteFile(filepath.Join(user.dir, "main.go"), []byte(program[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	// The second step ends with the operator, which runs until it is interrupted. The third is for another terminal, and is typed again until
	// the first one has come that far.
	operator := user.begins(steps[1])
	user.until(operator, "the object is handled", func() bool {
		out, err := user.tries(steps[2])
		return err == nil && strings.Contains(out, "text: hello, world")
	})
	if said := operator.interrupt(t); !strings.Contains(said, "hello, world") || !strings.Contains(said, "stopping") {
		t.Errorf("the operator said:\n%s", said)
	}
}
