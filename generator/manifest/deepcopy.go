package manifest

import (
	"bytes"
	"go/ast"
	"go/token"
	"io"
	"path/filepath"

	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// The markers that switch controller-tools' deep copies on.
const (
	generateMarker = "kubebuilder:object:generate"
	rootMarker     = "kubebuilder:object:root"
)

// exported is put before the names of unexported types while their deep copies are made.
const exported = "KopfgenExported_"

// deepCopies makes the deep copies of the kinds and of every type of the module that they reach. Authors need no marker for that: the
// markers are added to the types here, after the comments are read and before the methods are generated. Existing markers keep their meaning.
func (w *world) deepCopies(kinds []Kind, fset *token.FileSet, diags *diagnostic.List) []File {
	if len(kinds) == 0 {
		return nil
	}
	r := &reach{world: w, types: fset, found: map[typeID]copied{}, diags: diags}
	for _, k := range kinds {
		r.from(k)
	}
	ctx := genall.GenerationContext{Collector: w.collector, Checker: w.checker}
	out := &memory{}
	ctx.OutputRule = out
	for path, names := range r.byPackage() {
		p := w.all[path]
		if err := w.mark(p, names); err != nil {
			p.AddError(err)
			continue
		}
		ctx.Roots = append(ctx.Roots, p)
	}
	if err := (deepcopy.Generator{}).Generate(&ctx); err != nil {
		diags.Addf(kinds[0].Pos, codeSchema, "", "making the deep copies: %v", err)
	}
	return out.files()
}

// mark adds the markers for deep copies to types.
func (w *world) mark(p *loader.Package, names map[string]copied) error {
	all, err := w.collector.MarkersInPackage(p)
	if err != nil {
		return err
	}
	loader.EachType(p, func(_ *ast.File, _ *ast.GenDecl, spec *ast.TypeSpec) {
		how, ok := names[spec.Name.Name]
		if !ok {
			return
		}
		if all[spec] == nil {
			all[spec] = markers.MarkerValues{}
		}
		all[spec][generateMarker] = []any{how != elsewhere}
		if how == asObject {
			all[spec][rootMarker] = []any{true}
		}
		if how != elsewhere && !spec.Name.IsExported() {
			// controller-tools skips unexported types. It looks at the declared name, which it also prints in the methods.
			spec.Name.Name = exported + spec.Name.Name
		}
	})
	return nil
}

// memory is an output rule that keeps what is written.
type memory struct{ written []*artifact }

type artifact struct {
	path string
	bytes.Buffer
}

// Open implements [genall.OutputRule].
func (m *memory) Open(p *loader.Package, name string) (io.WriteCloser, error) {
	a := &artifact{path: filepath.Join(p.Dir, name)}
	m.written = append(m.written, a)
	return a, nil
}

// Close implements [io.Closer].
func (*artifact) Close() error { return nil }

func (m *memory) files() []File {
	var files []File
	for _, a := range m.written {
		files = append(files, File{Path: a.path, Data: bytes.ReplaceAll(a.Bytes(), []byte(exported), nil)})
	}
	return files
}
