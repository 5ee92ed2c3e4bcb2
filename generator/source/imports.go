package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
)

// importsBelow lists the imports of the packages that a pattern of packages= matches.
func (s *scan) importsBelow(p pattern) []string {
	base, _, wild := strings.Cut(p.list, "...")
	if below, ok := s.below(base); ok && !p.dirs {
		base = below
	}
	if !wild {
		return s.importsOf(base)
	}
	var all []string
	// What cannot be read has no imports; the go command says more about it.
	_ = filepath.WalkDir(filepath.Dir(base+"x"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		if path != base && skipped(path, d.Name()) {
			return fs.SkipDir
		}
		all = append(all, s.importsOf(path)...)
		return nil
	})
	return all
}

// kindsAmong lists the packages of the module that declare kinds, among the imports and what those import in turn.
func (s *scan) kindsAmong(imports []string) []string {
	var kinds []string
	seen := map[string]bool{}
	for i := 0; i < len(imports); i++ {
		path := imports[i]
		dir, ok := s.below(path)
		if !ok || seen[path] {
			continue
		}
		seen[path] = true
		if s.declaresKinds(dir) {
			kinds = append(kinds, path)
		}
		imports = append(imports, s.importsOf(dir)...)
	}
	return kinds
}

// importsOf lists what the files of a directory import.
func (s *scan) importsOf(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	var all []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || model.Generated(name) {
			continue
		}
		file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if file != nil {
			all = append(all, importPaths(file)...)
		}
	}
	return all
}

func importPaths(file *ast.File) []string {
	var all []string
	for _, spec := range file.Imports {
		all = append(all, ImportPath(spec))
	}
	return all
}

// ImportPath returns what is imported; of what does not parse, which is the compiler's to report, it returns nothing.
func ImportPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return path
}

// below returns the directory of a package, if it is in the module.
func (s *scan) below(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, s.modulePath)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return filepath.Join(s.moduleDir, filepath.FromSlash(rest)), true
}

var groupName = regexp.MustCompile(`(?m)^\s*//\s*\+groupName=`)

// declaresKinds reports whether the package in a directory says that it is an API group.
func (s *scan) declaresKinds(dir string) bool {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if data, err := os.ReadFile(name); err == nil && groupName.Match(data) {
			return true
		}
	}
	return false
}
