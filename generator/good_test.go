package generator

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/generator/emit"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

const goodCases = "../testdata/generator/good"

// TestGood generates the code of correct programs, compares it with the golden files, and compiles it in their place.
func TestGood(t *testing.T) {
	root, err := filepath.Abs(goodCases)
	if err != nil {
		t.Fatal(err)
	}
	var diags diagnostic.List
	program, err := load(context.Background(), Config{Dir: root, Patterns: []string{"./..."}}, &diags)
	if err != nil {
		t.Fatal(err)
	}
	operators := understand(program, &diags)
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	overlay := map[string]string{}
	args := []string{"vet", "-overlay", filepath.Join(t.TempDir(), "overlay.json")}
	for _, op := range operators {
		code, err := emit.File(op)
		if err != nil {
			t.Errorf("%s: %v", op.Name, err)
			continue
		}
		golden := filepath.Join(op.Dir, "want.go.golden")
		if *update {
			if err := os.WriteFile(golden, code, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(code)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", op.Name, diff)
		}
		overlay[filepath.Join(op.Dir, emit.Name)] = golden
		args = append(args, op.Dir)
	}
	// The methods that controller-tools would add are not printed here; one package demands them.
	deepCopy := filepath.Join(t.TempDir(), "deepcopy.go")
	if err := os.WriteFile(deepCopy, []byte("package v1\n\nimport \"k8s.io/apimachinery/pkg/runtime\"\n\nfunc (w *Widget) DeepCopyObject() runtime.Object { return w }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	overlay[filepath.Join(root, "several", "api", "v1", "zz_generated.deepcopy.go")] = deepCopy
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(args[2], data, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("go %v: %v\n%s", args, err, out)
	}
}
