package source

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// write makes a module of files in a temporary directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if files["go.mod"] == "" && files["no.mod"] == "" {
		files["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t *testing.T, dir string, patterns ...string) (*Program, []diagnostic.Diagnostic) {
	t.Helper()
	var diags diagnostic.List
	p, err := Load(context.Background(), Config{Dir: dir, Patterns: patterns}, &diags)
	if err != nil {
		t.Fatal(err)
	}
	return p, diags.Sorted()
}

func names(p *Program) []string {
	var all []string
	for _, pkg := range p.Packages {
		name := strings.TrimPrefix(pkg.Path, "example.com/m")
		if pkg.Selected {
			name += "!"
		}
		all = append(all, name)
	}
	return all
}

func TestLoadTakesWhatAnOperatorNeeds(t *testing.T) {
	dir := write(t, map[string]string{
		"op/op.go":           "// +kopf:operator=op,packages=\"./handlers/...\"\n\npackage op\n\nimport _ \"example.com/m/api\"\nimport _ \"example.com/m/plain\"\n",
		"op/handlers/h.go":   "package handlers\n\nimport _ \"example.com/m/api/v2\"\nimport _ \"example.com/m/plain\"\n",
		"api/v2/api.go":      "// +groupName=example.com\npackage v2\n",
		"api/v3/api.go":      "// +groupName=example.com\npackage v3\n",
		"op/handlers/n/n.go": "package n\n",
		"op/aside/a.go":      "package aside\n",
		"api/api.go":         "// +groupName=example.com\npackage api\n",
		"plain/plain.go":     "package plain\n\nimport _ \"example.com/m/api/v3\"\n",
		"other/other.go":     "// +kopf:operator=other\n\npackage other\n",
		"none/none.go":       "package none\n",
	})
	tests := []struct {
		patterns []string
		want     []string
	}{
		{[]string{"./op"}, []string{"/api", "/api/v2", "/api/v3", "/op!", "/op/handlers", "/op/handlers/n"}},
		{[]string{"./..."}, []string{"/api", "/api/v2", "/api/v3", "/op!", "/op/handlers", "/op/handlers/n", "/other!"}},
		{[]string{"op", "other/..."}, []string{"/api", "/api/v2", "/api/v3", "/op!", "/op/handlers", "/op/handlers/n", "/other!"}},
		{[]string{"./none"}, []string{"/none!"}},
		{[]string{filepath.Join(dir, "other")}, []string{"/other!"}},
	}
	for _, tt := range tests {
		p, diags := load(t, dir, tt.patterns...)
		if len(diags) > 0 {
			t.Errorf("%v: %v", tt.patterns, diags)
		}
		if got := names(p); !slices.Equal(got, tt.want) {
			t.Errorf("%v: loaded %v, want %v", tt.patterns, got, tt.want)
		}
	}
}

func TestMisspelledMarkersAreSeenAmongOthers(t *testing.T) {
	dir := write(t, map[string]string{
		"op/op.go":   "// +kopf:operator=op\n\npackage op\n",
		"typo/t.go":  "package typo\n\n//+Kopf:on=create\nfunc T() {}\n",
		"words/w.go": "// Package words speaks of Kopf.\npackage words\n",
	})
	p, diags := load(t, dir, "./...")
	if got, want := names(p), []string{"/op!", "/typo!"}; !slices.Equal(got, want) {
		t.Errorf("loaded %v, want %v", got, want)
	}
	if len(diags) != 1 || filepath.Base(diags[0].Pos.Filename) != "t.go" {
		t.Errorf("diagnostics: %v", diags)
	}
}

// TestImportsOfGeneratedFiles is the state after a first run, before the author has told go.mod what generated code imports.
func TestImportsOfGeneratedFiles(t *testing.T) {
	p, diags := load(t, write(t, map[string]string{
		"main.go": "package main\n\nfunc main() {}\n", model.OperatorFile: "package main\n\nimport _ \"example.org/gone\"\n",
	}), ".")
	if len(diags) > 0 || len(p.Packages) != 1 {
		t.Errorf("%d packages, diagnostics: %v", len(p.Packages), diags)
	}
}

func TestGeneratedFilesAreNotRead(t *testing.T) {
	const author = "package main\n\nfunc main() { run(Operator()) }\n\nfunc run(any) {}\n\ntype T struct{ M map[string]int }\n\nvar _ = T{}.DeepCopyObject()\n\nfunc twin(t *T) *T { return t.DeepCopy() }\n"
	for name, stale := range map[string]string{
		"absent": "", "empty": "\n", "no Go": "package 1 {{{", "other package": "package other\n", "broken": "package main\n\nfunc (t *Gone) DeepCopy() *Gone { return 1 }\n",
		"a main of its own": "package main\n\nfunc main() {}\n",
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"main.go": author}
			if name != "absent" {
				files[model.OperatorFile], files[model.DeepCopyFile] = stale, stale
			}
			p, diags := load(t, write(t, files), ".")
			if len(diags) > 0 {
				t.Errorf("diagnostics: %v", diags)
			}
			if len(p.Packages) != 1 || len(p.Packages[0].Files) != 1 || len(p.Packages[0].Files[0].Decls) != 5 {
				t.Errorf("loaded %+v", p.Packages)
			}
		})
	}
}

func TestBuildConstraints(t *testing.T) {
	dir := write(t, map[string]string{
		"a.go": "package main\n\nfunc main() {}\n",
		"b.go": "//go:build special\n\npackage main\n\n// +kopf:on=startup\nfunc B() {}\n",
	})
	var diags diagnostic.List
	p, err := Load(context.Background(), Config{Dir: dir, Patterns: []string{"."}, BuildFlags: []string{"-tags=special"}}, &diags)
	if err != nil || diags.Len() > 0 {
		t.Fatal(err, diags.Sorted())
	}
	if !p.Packages[0].HasHandlers() {
		t.Error("the file with the tag was not read")
	}
	_, found := load(t, dir, ".")
	if len(found) != 1 || found[0].Code != codeNotBuilt || !found[0].Warning || found[0].Pos.Line != 5 {
		t.Errorf("without the tag: %v", found)
	}
}

func TestLoadingFails(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string // in the diagnostics, or in the error
	}{
		{"import of nothing", map[string]string{"a.go": "package a\n\nimport _ \"example.com/m/gone\"\n"}, "a.go:3:8: no required module provides package example.com/m/gone (KG041)\n\tgo get example.com/m/gone"},
		{"import that does not build", map[string]string{"a.go": "package a\n\nimport _ \"example.com/m/b\"\n", "b/b.go": "package b\n\nvar x int = \"\"\n"}, "b/b.go:3:13: cannot use \"\" (untyped string constant) as int value in variable declaration (KG040)"},
		{"two packages", map[string]string{"a.go": "package a\n", "b.go": "package b\n"}, "(KG041)"},
		{"no Go files", map[string]string{"readme": ""}, "(KG041)"},
		{"no module", map[string]string{"no.mod": "-", "a.go": "package a\n"}, "no go.mod in"},
		{"module that needs updates", map[string]string{
			"go.mod":   "module example.com/m\n\ngo 1.26\n\nrequire example.com/n v0.0.0\n\nreplace example.com/n => ./n\n\nreplace example.com/o => ./o\n",
			"a.go":     "package a\n\nimport _ \"example.com/n\"\n",
			"n/go.mod": "module example.com/n\n\ngo 1.26\n\nrequire example.com/o v1.0.0\n", "n/n.go": "package n\n\nimport _ \"example.com/o\"\n",
			"o/go.mod": "module example.com/o\n\ngo 1.26\n", "o/o.go": "package o\n",
		}, "go mod tidy"},
		{"broken module", map[string]string{"go.mod": "modul x", "a.go": "package a\n"}, "loading packages"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, tt.files)
			var diags diagnostic.List
			_, err := Load(context.Background(), Config{Dir: dir, Patterns: []string{"."}}, &diags)
			var all []string
			if err != nil {
				all = append(all, err.Error())
			}
			for _, d := range diags.Sorted() {
				all = append(all, strings.ReplaceAll(d.Error(), dir+string(filepath.Separator), ""))
			}
			if text := strings.Join(all, "\n"); !strings.Contains(text, tt.want) {
				t.Errorf("got %q, want %q", text, tt.want)
			}
		})
	}
	if _, err := Load(context.Background(), Config{Dir: write(t, map[string]string{"a.go": "package a\n"}), Patterns: []string{"./gone"}}, &diagnostic.List{}); err == nil {
		t.Error("a directory that is not there is no error")
	}
}

func TestPatterns(t *testing.T) {
	s := scan{moduleDir: filepath.FromSlash("/m"), modulePath: "example.com/m"}
	pkg := func(below string) *Package {
		return &Package{Path: "example.com/m" + below, Dir: filepath.FromSlash("/m" + below)}
	}
	tests := []struct {
		pattern string
		wrong   bool
		matches []string
		misses  []string
	}{
		{"./handlers", false, []string{"/op/handlers"}, []string{"/op", "/op/handlers/a", "/handlers"}},
		{"./handlers/...", false, []string{"/op/handlers", "/op/handlers/a"}, []string{"/op", "/op/handlersx"}},
		{"./...", false, []string{"/op", "/op/a"}, []string{"/opx", ""}},
		{"./h...", false, []string{"/op/h", "/op/handlers/a"}, []string{"/op/a"}},
		{"../lib", false, []string{"/lib"}, []string{"/op/lib"}},
		{"../../x", true, nil, nil},
		{"/m/lib", true, nil, nil},
		{"handlers", true, nil, nil},
		{"example.com/m/lib/...", false, []string{"/lib", "/lib/a"}, []string{"/op"}},
		{"example.com/m", false, []string{""}, []string{"/op"}},
		{"example.com/mm", true, nil, nil},
	}
	for _, tt := range tests {
		p, wrong := s.newPattern(filepath.FromSlash("/m/op"), tt.pattern)
		if (wrong != "") != tt.wrong {
			t.Errorf("%s: %q", tt.pattern, wrong)
		}
		for _, below := range tt.matches {
			if !p.matches(pkg(below)) {
				t.Errorf("%s does not match %q", tt.pattern, below)
			}
		}
		for _, below := range tt.misses {
			if p.matches(pkg(below)) {
				t.Errorf("%s matches %q", tt.pattern, below)
			}
		}
	}
}
