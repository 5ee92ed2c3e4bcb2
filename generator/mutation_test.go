package generator

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kopfgen/kopfgen/generator/emit"
	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// mutants is how many programs TestMutants makes.
const mutants = 200

// TestMutants changes words and signs of correct programs at random. Whatever comes out, the generator must not panic, and must either complain or
// make code that compiles.
func TestMutants(t *testing.T) {
	root, err := filepath.Abs("../testdata/generator/ok")
	if err != nil {
		t.Fatal(err)
	}
	var diags diagnostic.List
	program, err := load(context.Background(), Config{Dir: root, Patterns: []string{"./..."}}, &diags)
	if err != nil || diags.Err() != nil {
		t.Fatal(err, diags.Err())
	}
	m := newMutator(t, program)
	complained, compiled := 0, 0
	for i := range mutants {
		m.rng = rand.New(rand.NewPCG(77, uint64(i)))
		switch m.try(t, i) {
		case wrong:
			complained++
		case right:
			compiled++
		}
	}
	if complained < mutants/10 || compiled < mutants/100 {
		t.Errorf("of %d mutants %d were refused and %d compiled: the test no longer tests much", mutants, complained, compiled)
	}
}

type mutator struct {
	program  *source.Program
	texts    map[*source.Package]map[string]string // of the files, by name
	packages []*source.Package
	words    []string
	imports  map[string]*types.Package
	rng      *rand.Rand
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.]*|\d+|[*\[\](),=;"!:]`)

func newMutator(t *testing.T, program *source.Program) *mutator {
	m := &mutator{program: program, texts: map[*source.Package]map[string]string{}, imports: map[string]*types.Package{}}
	for _, p := range program.Packages {
		m.imports[p.Path] = p.Types
		m.learn(p.Types)
		if !p.IsOperator() {
			continue
		}
		m.packages = append(m.packages, p)
		m.texts[p] = map[string]string{}
		for _, f := range p.Files {
			data, err := os.ReadFile(f.Name)
			if err != nil {
				t.Fatal(err)
			}
			m.texts[p][f.Name] = string(data)
			m.words = append(m.words, word.FindAllString(string(data), -1)...)
		}
	}
	return m
}

func (m *mutator) learn(p *types.Package) {
	for _, imported := range p.Imports() {
		if m.imports[imported.Path()] == nil {
			m.imports[imported.Path()] = imported
			m.learn(imported)
		}
	}
}

// Import serves the type checker with what the correct programs import.
func (m *mutator) Import(path string) (*types.Package, error) {
	if p := m.imports[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// mutate changes up to three words of a text, in markers, function heads and declarations.
func (m *mutator) mutate(text string) string {
	for range 1 + m.rng.IntN(3) {
		places := word.FindAllStringIndex(text, -1)
		for range 100 {
			at := places[m.rng.IntN(len(places))]
			line := text[strings.LastIndexByte(text[:at[0]], '\n')+1:]
			if !strings.HasPrefix(line, "// +kopf") && !strings.HasPrefix(line, "func ") && !strings.HasPrefix(line, "\t") {
				continue
			}
			old := text[at[0]:at[1]]
			text = text[:at[0]] + m.replacement(old) + text[at[1]:]
			break
		}
	}
	return text
}

func (m *mutator) replacement(old string) string {
	switch m.rng.IntN(6) {
	case 0:
		return ""
	case 1:
		return "*" + old
	}
	for {
		if w := m.words[m.rng.IntN(len(m.words))]; (len(w) > 1) == (len(old) > 1) {
			return w
		}
	}
}

type verdict int

const (
	unparsed verdict = iota
	wrong
	right
)

// try makes one mutant and has it generated for.
func (m *mutator) try(t *testing.T, n int) verdict {
	original := m.packages[m.rng.IntN(len(m.packages))]
	changed := map[string]string{}
	for _, f := range original.Files {
		changed[f.Name] = m.texts[original][f.Name]
	}
	victim := original.Files[m.rng.IntN(len(original.Files))].Name
	changed[victim] = m.mutate(changed[victim])
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("mutant %d of %s: panic: %v\n%s", n, original.Name, p, changed[victim])
		}
	}()

	var diags diagnostic.List
	pkg := &source.Package{Path: original.Path, Name: original.Name, Dir: original.Dir, Selected: true}
	var files []*ast.File
	for _, f := range original.Files {
		file, err := parser.ParseFile(m.program.Fset, f.Name, changed[f.Name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return unparsed
		}
		files = append(files, file)
		pkg.Files = append(pkg.Files, &source.File{File: file, Name: f.Name, Markers: markers.Collect(m.program.Fset, file, &diags)})
	}
	compiles := m.check(pkg, files)
	alone := *m.program
	alone.Packages = nil
	for _, p := range m.program.Packages {
		switch {
		case p == original:
			p = pkg
		case p.IsOperator():
			continue
		default:
			other := *p
			other.Selected = false
			p = &other
		}
		alone.Packages = append(alone.Packages, p)
	}
	operators := understand(&alone, &diags)
	if diags.Err() != nil || !compiles {
		return wrong
	}
	for _, op := range operators {
		code, err := emit.File(op)
		if err != nil {
			t.Errorf("mutant %d: %v\n%s", n, err, changed[victim])
			continue
		}
		generated, err := parser.ParseFile(m.program.Fset, filepath.Join(pkg.Dir, model.OperatorFile), code, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("mutant %d: %v\n%s", n, err, code)
			continue
		}
		conf := types.Config{Importer: m, Error: func(err error) {
			// With the generated file there, the author's own mistakes around its words come to light; they are not looked for here.
			if e, ok := err.(types.Error); ok && filepath.Base(e.Fset.Position(e.Pos).Filename) == model.OperatorFile {
				t.Errorf("mutant %d: %v\n%s\n%s", n, err, changed[victim], code)
			}
		}}
		_, _ = conf.Check(pkg.Path, m.program.Fset, append(files, generated), nil)
	}
	return right
}

// check type-checks a package and tells whether nothing is wrong with it but what generated files will mend.
func (m *mutator) check(pkg *source.Package, files []*ast.File) bool {
	ok := true
	conf := types.Config{Importer: m, Error: func(err error) { ok = ok && foreseen(err) }}
	pkg.Info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
	}
	pkg.Types, _ = conf.Check(pkg.Path, m.program.Fset, files, pkg.Info)
	return ok
}

// foreseen reports whether an error is due to a generated file that is not there.
func foreseen(err error) bool {
	text := err.Error()
	return strings.Contains(text, "undefined: Operator") || strings.Contains(text, "DeepCopy") || strings.Contains(text, "ObjectMeta has no field or method")
}
