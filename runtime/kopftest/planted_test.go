package kopftest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// planted are defects, each one replacement in a file of the runtime.
var planted = []struct{ name, file, from, to string }{
	{
		"a wake-up is lost", "reactor/schedule.go",
		"	if !until.IsZero() {\n		r.arm(w, time.Until(until))\n	}", "",
	},
	{
		"an event is dropped that comes during a turn", "reactor/newest.go",
		"	if changed {\n		w.fresh = true", "	if changed && w.phase != running {\n		w.fresh = true",
	},
	{
		"the first finalizer is added without a test that there is none", "patch/finalizers.go",
		"test(finalizersPath, nil), addition(finalizersPath, missing)", "addition(finalizersPath, missing)",
	},
	{ // defect 1 of Kopf: a change during the retries of another handler
		"a success counts for every later state", "progress/plan.go",
		"if !role.follows() || r.Seen == p.now.digest(h.Field) {", "if !role.follows() || r.Seen != \"\" {",
	},
	{ // defect 7 of Kopf: an object whose handling failed waits for its next event
		"an object is not tried again after an error", "reactor/turn.go",
		"		r.wait(w, time.Now().Add(delay))", "		r.wait(w, time.Time{})",
	},
}

// Defects planted in a copy of the runtime are found by the scenario of TestExplore.
func TestPlantedBugs(t *testing.T) {
	for _, p := range planted {
		t.Run(p.name, func(t *testing.T) {
			dir := t.TempDir()
			original, err := filepath.Abs(filepath.Join("..", "internal", p.file))
			if err != nil {
				t.Fatal(err)
			}
			source, err := os.ReadFile(original)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(source), p.from) != 1 {
				t.Fatalf("%s is not once in %s: plant the defect anew", p.from, p.file)
			}
			copied, overlay, binary := filepath.Join(dir, "copy.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "explore.test")
			write(t, copied, []byte(strings.Replace(string(source), p.from, p.to, 1)))
			replace, err := json.Marshal(map[string]any{"Replace": map[string]string{original: copied}})
			if err != nil {
				t.Fatal(err)
			}
			write(t, overlay, replace)
			if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", overlay, "-o", binary, ".").CombinedOutput(); err != nil {
				t.Fatalf("building the copy: %v\n%s", err, out)
			}
			out, err := exec.CommandContext(t.Context(), binary, "-test.run=^TestExplore$", "-test.timeout=60s").CombinedOutput()
			if err == nil || !strings.Contains(string(out), "disturbances that are enough") {
				t.Errorf("it is not found: %v\n%s", err, out)
			}
			t.Logf("%.600s", out)
		})
	}
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
