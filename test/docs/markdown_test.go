// Package docs_test keeps the documents true: what they show is what is in the tree, what they say to type works when it is typed, and
// what they refer to exists.
package docs_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

//go:generate go test . -run Fresh -update

// root is the root of the checkout.
const root = "../.."

var update = flag.Bool("update", false, "write again what documents show of the source")

// document is one Markdown file of the project.
type document struct {
	// path is relative to the root.
	path, text string
}

// block is a fenced block of code.
type block struct {
	// mark is the comment on the line before, such as "run: quickstart", and may be empty.
	mark, language, code string
	// from and to delimit the code in the text of its document.
	from, to int
}

// documents returns all documents.
func documents(t *testing.T) []document {
	t.Helper()
	var found []document
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err == nil {
			found = append(found, read(t, relative))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// read returns one document.
func read(t *testing.T, path string) document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return document{path: filepath.ToSlash(path), text: string(data)}
}

var fence = regexp.MustCompile("(?ms)(?:^<!-- ([^\n]*) -->\n)?^```([a-z]*)\n(.*?)^```$")

// blocks returns the blocks of code of a document.
func (d document) blocks() []block {
	var found []block
	for _, at := range fence.FindAllStringSubmatchIndex(d.text, -1) {
		b := block{language: d.text[at[4]:at[5]], code: d.text[at[6]:at[7]], from: at[6], to: at[7]}
		if at[2] >= 0 {
			b.mark = d.text[at[2]:at[3]]
		}
		found = append(found, b)
	}
	return found
}

// marked returns the code of the blocks with a mark.
func (d document) marked(mark string) []string {
	var found []string
	for _, b := range d.blocks() {
		if b.mark == mark {
			found = append(found, b.code)
		}
	}
	return found
}

func TestBlocks(t *testing.T) {
	d := document{text: "a\n<!-- run: it -->\n```sh\nmake\n```\n\n```\nplain\n```\n"}
	got := d.blocks()
	if len(got) != 2 || got[0].mark != "run: it" || got[0].language != "sh" || got[0].code != "make\n" || got[1].mark != "" || got[1].code != "plain\n" {
		t.Errorf("blocks: %+v", got)
	}
	if b := got[0]; d.text[b.from:b.to] != b.code {
		t.Errorf("the place of the code is wrong: %q", d.text[b.from:b.to])
	}
}
