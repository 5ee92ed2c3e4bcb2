package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	proof    = regexp.MustCompile("`([a-z0-9-]+\\.Test\\w+)`")
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// Every test that the page on conformance names exists, and no row is without one unless there is nothing to prove.
func TestConformanceIsProved(t *testing.T) {
	tests := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range testFunc.FindAllSubmatch(source, -1) {
			tests[filepath.Base(filepath.Dir(path))+"."+string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	page := read(t, "docs/conformance.md")
	for _, found := range proof.FindAllStringSubmatch(page.text, -1) {
		if !tests[found[1]] {
			t.Errorf("there is no test %s", found[1])
		}
	}
	rows, bare := 0, 0
	for line := range strings.Lines(page.text) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| ---") && !strings.HasPrefix(line, "| Kopf |") {
			rows++
			if !proof.MatchString(line) {
				bare++
			}
		}
	}
	if rows < 50 || bare > 2 {
		t.Errorf("%d of %d rows name no test", bare, rows)
	}
}
