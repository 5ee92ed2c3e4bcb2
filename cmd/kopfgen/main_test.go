package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// module makes an author's module in a temporary directory, as a user of this checkout would have it, and goes there.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	gocache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(gocache)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")

	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^(module|tool) .*$`).ReplaceAllString(string(mod), "")
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"go.mod": "module example.com/greeter\n" + text +
			"\nrequire github.com/kopfgen/kopfgen v0.0.0\n\nreplace github.com/kopfgen/kopfgen => " + root + "\n",
		"go.sum": string(sum),
	})
	put(t, dir, files)
	t.Chdir(dir)
	return dir
}

const greeter = `// Package main greets.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package main

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Greeter greets somebody.
//
// +kubebuilder:subresource:status
type Greeter struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}

// Greet greets.
//
// +kopf:on=create
func Greet(g Greeter) string { return "hello, " + g.Name }
`

// kopfgen runs the command.
func kopfgen(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(context.Background(), args, &out, &err)
	return status, out.String(), err.String()
}

func ok(t *testing.T, args ...string) {
	t.Helper()
	if status, stdout, stderr := kopfgen(t, args...); status != 0 || stdout+stderr != "" {
		t.Fatalf("kopfgen %v: status %d\n%s%s", args, status, stdout, stderr)
	}
}

// tree reads all files below a directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

const operatorFile, copyFile, crdFile = "zz_generated.kopf.go", "zz_generated.deepcopy.go", "config/crd/demo.kopf.dev_greeters.yaml"

func TestLifeOfGeneratedFiles(t *testing.T) {
	dir := module(t, map[string]string{"main.go": greeter})
	ok(t)
	first := tree(t, dir)
	for _, name := range []string{operatorFile, copyFile, crdFile} {
		if first[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
	if out, err := exec.Command("go", "build", "-o", os.DevNull, ".").CombinedOutput(); err != nil {
		t.Fatalf("the program does not compile: %v\n%s", err, out)
	}

	long := time.Now().Add(-time.Hour)
	for _, name := range []string{operatorFile, copyFile, crdFile} {
		if err := os.Chtimes(name, long, long); err != nil {
			t.Fatal(err)
		}
	}
	ok(t)            // recognised by its record
	ok(t, "./...")   // a command line without one
	ok(t, "--check") // writes nothing in any case
	for _, name := range []string{operatorFile, copyFile, crdFile} {
		if info, err := os.Stat(name); err != nil || info.ModTime().After(long.Add(time.Minute)) {
			t.Errorf("%s was touched", name)
		}
	}

	// Broken, stale and missing files are made again, and the same.
	put(t, dir, map[string]string{operatorFile: "package main\n\nfunc broken( {", copyFile: "package other\n"})
	if err := os.Remove(crdFile); err != nil {
		t.Fatal(err)
	}
	status, stdout, _ := kopfgen(t, "--check")
	if want := "these files are stale; run go generate:\n\t" + strings.Join([]string{crdFile, copyFile, operatorFile}, "\n\t") + "\n"; status != 1 || stdout != want {
		t.Errorf("--check: status %d and %q, want 1 and %q", status, stdout, want)
	}
	ok(t)
	for name, text := range tree(t, dir) {
		if text != first[name] {
			t.Errorf("%s is not what it was", name)
		}
	}
}

func TestMistakesWriteNothing(t *testing.T) {
	wrong := strings.Replace(greeter, "+kopf:on=create", "+kopf:on=create,retires=3", 1)
	wrong = strings.Replace(wrong, "g Greeter) string", "g Greeter, size int) string", 1)
	dir := module(t, map[string]string{"op/main.go": wrong})
	before := tree(t, dir)
	status, stdout, stderr := kopfgen(t, "./op")
	if status != 1 || stdout != "" {
		t.Errorf("status %d, output %q", status, stdout)
	}
	lines := regexp.MustCompile(`(?m)^op/main\.go:\d+:\d+: .*$`).FindAllString(stderr, -1)
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "op/main.go:19:20: ") || !strings.HasPrefix(lines[1], "op/main.go:20:23: ") {
		t.Errorf("got\n%s", stderr)
	}
	if after := tree(t, dir); len(after) != len(before) {
		t.Errorf("files were written: %d before, %d after", len(before), len(after))
	}
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args           string
		status         int
		stdout, stderr string
	}{
		{"version", 0, "kopfgen ", ""},
		{"--help", 0, "Usage:", ""},
		{"--bogus", 2, "", "unknown flag"},
		{"./no-such-directory", 1, "", "no-such-directory"},
	} {
		status, stdout, stderr := kopfgen(t, c.args)
		if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%s: status %d\n%s%s", c.args, status, stdout, stderr)
		}
	}
}

func TestExplain(t *testing.T) {
	dir := module(t, map[string]string{"main.go": greeter})
	status, stdout, stderr := kopfgen(t, "-v", "--crd-dir", "crds")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d\n%s", status, stderr)
	}
	for _, want := range []string{"operator greeter, package example.com/greeter", "greeters.demo.kopf.dev/v1", "all objects", "Greet(g: the object)"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("nothing is said of %q in\n%s", want, stdout)
		}
	}
	if tree(t, dir)["crds/demo.kopf.dev_greeters.yaml"] == "" {
		t.Error("the CRD is not where the flag says")
	}
}
