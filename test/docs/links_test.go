package docs_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// Links lead to files of the tree, and to headings that are there.
func TestLinks(t *testing.T) {
	for _, d := range documents(t) {
		for _, found := range link.FindAllStringSubmatch(d.text, -1) {
			target := found[1]
			if strings.Contains(target, "://") {
				continue
			}
			file, anchor, _ := strings.Cut(target, "#")
			at := d.path
			if file != "" {
				at = path.Join(path.Dir(d.path), file)
			}
			info, err := os.Stat(filepath.Join(root, filepath.FromSlash(at)))
			switch {
			case err != nil:
				t.Errorf("%s: the link %s leads nowhere", d.path, target)
			case anchor != "" && (info.IsDir() || !anchors(read(t, at))[anchor]):
				t.Errorf("%s: the link %s leads to no heading", d.path, target)
			}
		}
	}
}

// anchors returns the names under which the headings of a document can be linked to.
func anchors(d document) map[string]bool {
	names := map[string]bool{}
	for _, found := range heading.FindAllStringSubmatch(d.text, -1) {
		names[strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, found[1])] = true
	}
	return names
}
