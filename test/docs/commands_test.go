package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	inline     = regexp.MustCompile("`([^`\n]+)`")
	makeTarget = regexp.MustCompile(`(?m)(?:^|[\s;])make ([a-z][a-z-]*)`)
	target     = regexp.MustCompile(`(?m)^([a-z][a-z-]*):.*## `)
	flagName   = regexp.MustCompile(`\s(--?[a-zA-Z][a-z-]*)`)
)

// code returns everything in a document that is set as code.
func (d document) code() []string {
	var all []string
	rest := d.text
	for _, b := range d.blocks() {
		all = append(all, strings.Split(b.code, "\n")...)
		rest = strings.Replace(rest, "```"+b.language+"\n"+b.code+"```", "", 1)
	}
	for _, found := range inline.FindAllStringSubmatch(rest, -1) {
		all = append(all, found[1])
	}
	return all
}

// Targets of make that documents name exist and have a line in make help.
func TestMakeTargets(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, found := range target.FindAllStringSubmatch(string(makefile), -1) {
		targets[found[1]] = true
	}
	named := 0
	for _, d := range documents(t) {
		for _, code := range d.code() {
			for _, found := range makeTarget.FindAllStringSubmatch(code, -1) {
				named++
				if !targets[found[1]] {
					t.Errorf("%s: there is no make %s", d.path, found[1])
				}
			}
		}
	}
	if named == 0 {
		t.Error("no document names a target: they are not found")
	}
}

// Flags of kopfgen and of operators that documents name exist.
func TestFlags(t *testing.T) {
	dir := t.TempDir()
	programs := []struct {
		pkg  string
		help []string
		use  *regexp.Regexp
	}{
		{"./cmd/kopfgen", []string{"--help"}, regexp.MustCompile(`^(?:go tool )?kopfgen .*`)},
		{"./examples/01-minimal", []string{"run", "--help"}, regexp.MustCompile(`^(?:\./\w+|go run \.) run .*`)},
	}
	for _, p := range programs {
		flags := map[string]bool{}
		for _, found := range flagName.FindAllStringSubmatch(helpOf(t, dir, p.pkg, p.help...), -1) {
			flags[found[1]] = true
		}
		named := 0
		for _, d := range documents(t) {
			for _, code := range d.code() {
				line, _, _ := strings.Cut(p.use.FindString(code), " #")
				for _, found := range flagName.FindAllStringSubmatch(line, -1) {
					named++
					if !flags[found[1]] {
						t.Errorf("%s: %q: %s has no flag %s", d.path, line, p.pkg, found[1])
					}
				}
			}
		}
		if named == 0 {
			t.Errorf("no document names a flag of %s: they are not found", p.pkg)
		}
	}
}

// helpOf builds a program of the tree and returns what it prints about its use.
func helpOf(t *testing.T, dir, pkg string, args ...string) string {
	t.Helper()
	program := filepath.Join(dir, filepath.Base(pkg))
	build := exec.Command("go", "build", "-o", program, pkg)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", pkg, err, out)
	}
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", pkg, args, err, out)
	}
	return string(out)
}
