package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kopfgen/kopfgen/markers"
)

// Program holds all packages of a run that were loaded with their syntax.
type Program struct {
	Fset *token.FileSet
	// Dir is the absolute directory of the run.
	Dir string
	// ModulePath and ModuleDir name the module of the packages.
	ModulePath, ModuleDir string
	// Packages are sorted by import path.
	Packages []*Package
}

// Package is one package of the author's module.
type Package struct {
	Path, Name, Dir string
	Types           *types.Package
	Info            *types.Info
	Files           []*File // sorted by name, without generated ones
	// Selected means that the run was asked for this package, not only for one that takes its handlers or types.
	Selected bool
	// Unparsed means that a file does not parse, and Broken that an import is missing. Either has been reported, and what the package declares
	// is not fully known.
	Unparsed, Broken bool
}

// File is one source file with its markers.
type File struct {
	*ast.File
	Name    string
	Markers markers.File
}

// Find returns the loaded package with that import path, or nil.
func (p *Program) Find(path string) *Package {
	for _, pkg := range p.Packages {
		if pkg.Path == path {
			return pkg
		}
	}
	return nil
}

// Position resolves a position.
func (p *Program) Position(pos token.Pos) token.Position { return p.Fset.Position(pos) }

// Operators are the package's operator markers, normally one or none.
func (p *Package) Operators() []*markers.Operator {
	var all []*markers.Operator
	for _, f := range p.Files {
		all = append(all, f.Markers.Operators...)
	}
	return all
}

// HasHandlers reports whether a function of the package carries a marker.
func (p *Package) HasHandlers() bool {
	return slices.ContainsFunc(p.Files, func(f *File) bool { return len(f.Markers.Functions) > 0 })
}

// IsOperator reports whether the package is one: by its marker, or because it is a program with handlers.
func (p *Package) IsOperator() bool {
	return len(p.Operators()) > 0 || p.Name == "main" && p.HasHandlers()
}

// FileOf returns the file that a position is in, or nil.
func (p *Package) FileOf(pos token.Pos) *File {
	for _, f := range p.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// Comment returns the package's marker comments, such as "+groupName=demo.kopf.dev": the lines above package clauses, and those of comments
// that belong to no declaration.
func (p *Package) Comment() []string {
	var all []string
	for _, f := range p.Files {
		all = append(all, PackageMarkers(f.File)...)
	}
	return all
}

// PackageMarkers returns the marker lines of a file that belong to its package.
func PackageMarkers(f *ast.File) []string {
	var all []string
	next := 0
	for _, group := range f.Comments {
		for next < len(f.Decls) && f.Decls[next].End() <= group.Pos() {
			next++
		}
		if next < len(f.Decls) && (declStart(f.Decls[next]) <= group.Pos()) {
			continue
		}
		all = append(all, MarkerLines(group)...)
	}
	return all
}

func declStart(d ast.Decl) token.Pos {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	if doc != nil {
		return doc.Pos()
	}
	return d.Pos()
}

// MarkerLines returns the lines of a comment that begin with a plus, without the slashes and blanks before it.
func MarkerLines(group *ast.CommentGroup) []string {
	if group == nil {
		return nil
	}
	var lines []string
	for _, c := range group.List {
		text, line := strings.CutPrefix(c.Text, "//")
		if text = strings.TrimSpace(text); line && strings.HasPrefix(text, "+") {
			lines = append(lines, text)
		}
	}
	return lines
}

func newPackage(p *packages.Package) *Package {
	return &Package{Path: p.PkgPath, Name: p.Name, Dir: p.Dir, Types: p.Types, Info: p.TypesInfo}
}
