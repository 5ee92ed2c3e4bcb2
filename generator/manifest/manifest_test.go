package manifest

import (
	"context"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// author loads a package as the front of the generator does.
func author(t *testing.T, dir string) (*types.Package, *token.FileSet, string) {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", dir))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	pkgs, err := packages.Load(&packages.Config{
		Dir: dir, Fset: fset,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			if strings.HasPrefix(filepath.Base(name), "zz_generated") {
				src = []byte("package " + filepath.Base(dir))
			}
			return parser.ParseFile(fset, name, src, parser.ParseComments)
		},
	}, ".")
	if err != nil || len(pkgs) != 1 || pkgs[0].Types == nil {
		t.Fatalf("loading %s: %v, %v", dir, pkgs, err)
	}
	return pkgs[0].Types, fset, dir
}

func kind(p *types.Package, fset *token.FileSet, name string) Kind {
	obj := p.Scope().Lookup(name).(*types.TypeName)
	return Kind{Type: obj, CRD: true, Handled: true, Pos: fset.Position(obj.Pos())}
}

func generate(t *testing.T, dir string, fset *token.FileSet, kinds ...Kind) (Files, string) {
	t.Helper()
	var diags diagnostic.List
	files, err := Generate(context.Background(), Request{
		Dir: dir, Module: "github.com/kopfgen/kopfgen", Fset: fset, Kinds: kinds,
	}, &diags)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, d := range diags.Sorted() {
		said = append(said, strings.TrimPrefix(d.Error(), dir+"/"))
	}
	return files, strings.Join(said, "\n")
}

// golden compares text with a file, or writes it.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestResultsAreKept(t *testing.T) {
	p, fset, dir := author(t, "greeter")
	greeting := p.Scope().Lookup("Greeting").Type()
	k := kind(p, fset, "Greeter")
	k.Results = []Result{{Key: "greet", Type: greeting}, {Key: "count/spec.times", Type: types.Typ[types.Int]}, {Key: "same", Type: p.Scope().Lookup("Inner").Type()}}
	k.Edits = []string{"spec"}
	plain := kind(p, fset, "Plain")
	plain.Unknown = true
	files, said := generate(t, dir, fset, k, plain)
	if diff := cmp.Diff(`types.go:33:2: warning: handlers that edit times cannot set its zero value: the API server puts the default back (KG084)
	make the field a pointer, or remove omitempty`, said); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	if len(files.CRDs) != 2 || len(files.Go) != 1 {
		t.Fatalf("got %d CRDs and %d Go files, want 2 and 1", len(files.CRDs), len(files.Go))
	}
	for _, f := range files.CRDs {
		golden(t, filepath.Join("testdata", "greeter", f.Path), f.Data)
	}
	golden(t, filepath.Join("testdata", "greeter", model.DeepCopyFile), files.Go[0].Data)
}

func TestMistakes(t *testing.T) {
	p, fset, dir := author(t, "mistakes")
	odd := kind(p, fset, "Odd")
	odd.Results = []Result{{Key: "greet", Type: types.Typ[types.Int], Pos: odd.Pos}}
	_, said := generate(t, dir, fset, kind(p, fset, "Tree"), odd)
	golden(t, filepath.Join("testdata", "mistakes", "diagnostics.txt"), []byte(said+"\n"))
}

func TestValuesOfOtherTypes(t *testing.T) {
	p, fset, dir := author(t, "values")
	_, said := generate(t, dir, fset, kind(p, fset, "Odd"))
	golden(t, filepath.Join("testdata", "values", "diagnostics.txt"), []byte(said+"\n"))
}

func TestBadMarker(t *testing.T) {
	p, fset, dir := author(t, "markers")
	_, said := generate(t, dir, fset, kind(p, fset, "Odd"))
	if want := `types.go:15:2: invalid minimum value: strconv.ParseFloat: parsing "abc": invalid syntax (KG080)`; said != want {
		t.Errorf("got\n%s\nwant\n%s", said, want)
	}
}

func TestVersionsBeside(t *testing.T) {
	p, fset, dir := author(t, "versions/v1beta1")
	files, said := generate(t, dir, fset, kind(p, fset, "Thing"))
	if said != "" {
		t.Error(said)
	}
	if len(files.CRDs) != 1 {
		t.Fatalf("got %d CRDs, want 1", len(files.CRDs))
	}
	for _, want := range []string{"name: v1\n", "name: v1beta1\n"} {
		if !strings.Contains(string(files.CRDs[0].Data), want) {
			t.Errorf("the definition has no %q:\n%s", want, files.CRDs[0].Data)
		}
	}
}

func TestCopiesAcrossPackages(t *testing.T) {
	p, fset, dir := author(t, "parts")
	files, said := generate(t, dir, fset, kind(p, fset, "Whole"))
	if said != "" {
		t.Error(said)
	}
	if len(files.Go) != 2 {
		t.Fatalf("got %d Go files, want 2", len(files.Go))
	}
	whole, sub := string(files.Go[1].Data), string(files.Go[0].Data)
	if strings.Contains(filepath.Dir(files.Go[1].Path), "sub") {
		whole, sub = sub, whole
	}
	for _, c := range []struct {
		text, in string
		want     bool
	}{
		{"func (in *Whole) DeepCopyObject() runtime.Object", whole, true},
		{"func (in *WholeSpec) DeepCopyInto(", whole, true},
		{"func (in *Open) DeepCopyInto(", whole, true},
		{"func (in *Part) DeepCopyInto(", sub, true},
		{"func (in *Own) DeepCopyInto(", sub, false},
		{"func (in *Own) DeepCopy()", sub, true},
		{"Unused", sub, false},
	} {
		if got := strings.Contains(c.in, c.text); got != c.want {
			t.Errorf("%q: got %v, want %v in\n%s", c.text, got, c.want, c.in)
		}
	}
}

func TestForeignResult(t *testing.T) {
	p, fset, dir := author(t, "greeter")
	var core *types.Package
	for _, imported := range p.Imports() {
		if imported.Path() == "k8s.io/api/core/v1" {
			core = imported
		}
	}
	pod := Kind{Type: core.Scope().Lookup("Pod").(*types.TypeName)}
	pod.Results = []Result{{Key: "greet", Type: types.Typ[types.Int], Pos: token.Position{Filename: dir + "/x.go", Line: 1, Column: 1}}}
	files, said := generate(t, dir, fset, pod)
	if len(files.CRDs)+len(files.Go) > 0 {
		t.Errorf("made files for a kind of another module")
	}
	if !strings.Contains(said, "x.go:1:1: warning: the status of Pod has no field greet") {
		t.Errorf("got %q", said)
	}
}
