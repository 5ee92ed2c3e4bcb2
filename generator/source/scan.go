package source

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// scan looks at the sources before they are loaded, to learn what else must be loaded in the same call: the packages whose handlers an
// operator takes, and those of the module that declare kinds.
type scan struct {
	fset   *token.FileSet
	build  build.Context
	parsed map[string]*ast.File // what was parsed without an error, by path

	moduleDir, modulePath string
}

// findModule finds the module that dir belongs to.
func (s *scan) findModule(dir string) error {
	for at := dir; ; at = filepath.Dir(at) {
		data, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil {
			s.moduleDir, s.modulePath = at, modfile.ModulePath(data)
			return nil
		}
		if at == filepath.Dir(at) {
			return fmt.Errorf("no go.mod in %s or above it", dir)
		}
	}
}

// expand turns the patterns of the run into directories. Unlike those of the go command, they cannot be import paths.
func (s *scan) expand(dir string, patterns []string) ([]string, error) {
	var dirs []string
	for _, pattern := range patterns {
		root, recursive := strings.CutSuffix(filepath.ToSlash(pattern), "...")
		root = filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(root, "/")))
		if filepath.IsAbs(pattern) {
			root = filepath.Clean(strings.TrimSuffix(pattern, "..."))
		}
		if !recursive {
			dirs = append(dirs, root)
			continue
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if path != root && skipped(path, d.Name()) {
				return fs.SkipDir
			}
			dirs = append(dirs, path)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), nil
}

// skipped reports whether "..." leaves a directory out, as the go command does.
func skipped(path, base string) bool {
	if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

// header is what the scan learns about a directory.
type header struct {
	files     int  // that are built
	marked    bool // has markers, or what was meant as one
	operators []*markers.Operator
	imports   []string
}

// header parses those files of a directory that are built.
func (s *scan) header(dir string) (header, error) {
	var h header
	entries, err := os.ReadDir(dir)
	if err != nil {
		return h, err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || model.Generated(path) {
			continue
		}
		if match, err := s.build.MatchFile(dir, e.Name()); err != nil || !match {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return h, err
		}
		h.files++
		h.marked = h.marked || bytes.Contains(data, []byte("+kopf"))
		file, err := s.parse(path, data)
		if file == nil {
			continue
		}
		if err == nil {
			s.parsed[path] = file
		}
		var ignored diagnostic.List // the same file is read again once it is loaded
		h.operators = append(h.operators, markers.Collect(s.fset, file, &ignored).Operators...)
		h.marked = h.marked || ignored.Len() > 0 // a marker that is misspelled
		h.imports = append(h.imports, importPaths(file)...)
	}
	return h, nil
}

func (s *scan) parse(path string, data []byte) (*ast.File, error) {
	return parser.ParseFile(s.fset, path, data, parser.ParseComments|parser.SkipObjectResolution)
}

// stub is what is read instead of a generated file.
func (s *scan) stub(fset *token.FileSet, path string) (*ast.File, error) {
	name := ""
	siblings, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.go"))
	for _, sibling := range siblings {
		if model.Generated(sibling) || strings.HasSuffix(sibling, "_test.go") {
			continue
		}
		if match, err := s.build.MatchFile(filepath.Dir(path), filepath.Base(sibling)); err != nil || !match {
			continue
		}
		if f, err := parser.ParseFile(token.NewFileSet(), sibling, nil, parser.PackageClauseOnly); err == nil {
			name = f.Name.Name
			break
		}
	}
	if name == "" {
		name = "main"
	}
	return parser.ParseFile(fset, path, "package "+name+"\n", parser.SkipObjectResolution)
}
