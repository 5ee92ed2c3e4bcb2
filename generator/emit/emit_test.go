package emit

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/generator/model"
)

// author type-checks a package that imports nothing, or only the packages given.
func author(t *testing.T, source string, imports ...*types.Package) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "author.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: those(imports)}
	p, err := conf.Check("example.com/"+file.Name.Name, fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type those []*types.Package

func (t those) Import(path string) (*types.Package, error) {
	for _, p := range t {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, &types.Error{Msg: "no package " + path}
}

// declared is the type of something at package level.
func declared(t *testing.T, p *types.Package, name string) types.Type {
	t.Helper()
	obj := p.Scope().Lookup(name)
	if obj == nil {
		t.Fatalf("package %s declares no %s", p.Path(), name)
	}
	return obj.Type()
}

func newTestPrinter(op *model.Operator) *printer { return newPrinter(op, newNames(op)) }

// source renders declarations or expressions.
func source(t *testing.T, p *printer, code ...jen.Code) string {
	t.Helper()
	if p.err != nil {
		t.Fatal(p.err)
	}
	f := jen.NewFilePathName(p.op.Package.Path(), p.op.Package.Name())
	p.names.declare(f)
	f.NoFormat = true
	for _, c := range code {
		f.Add(c)
	}
	text := f.GoString()
	text = regexp.MustCompile(`(?s)^package .*?\n(\s*import (\(.*?\n\)|[^\n(]*)\n)?`).ReplaceAllString(text, "")
	out, err := format.Source([]byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return strings.TrimSpace(string(out))
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// indent moves the lines of a body to where gofmt puts them.
func indent(text string) string {
	return "\t" + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n\t")
}
