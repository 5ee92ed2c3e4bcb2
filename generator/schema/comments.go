package schema

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/source"
)

func jsonTag(st *types.Struct, i int) string { return reflect.StructTag(st.Tag(i)).Get("json") }

// groupVersion reads +groupName and +versionName.
func groupVersion(lines []string) (group, version string, hasGroup bool) {
	for _, line := range lines {
		if v, ok := strings.CutPrefix(line, "+groupName="); ok {
			group, hasGroup = unquoted(v), true
		}
		if v, ok := strings.CutPrefix(line, "+versionName="); ok {
			version = unquoted(v)
		}
	}
	return group, version, hasGroup
}

// valuesOf lists the values that the lines give to a marker, each once.
func valuesOf(lines []string, marker string) []string {
	var values []string
	for _, line := range lines {
		if v, ok := strings.CutPrefix(line, marker); ok && !slices.Contains(values, unquoted(v)) {
			values = append(values, unquoted(v))
		}
	}
	return values
}

func unquoted(s string) string { return strings.Trim(strings.TrimSpace(s), "\"`") }

// registry knows the markers of CRDs.
var registry = newRegistry()

func newRegistry() *markers.Registry {
	reg := &markers.Registry{}
	for _, def := range crdmarkers.AllDefinitions {
		// All of them are controller-tools' own; two that clash would have been found by its tests.
		_ = def.Register(reg)
	}
	return reg
}

// applyMarkers applies what the markers of a type say about its resource. Mistakes in them are reported when the CRD is made.
func (k *Kind) applyMarkers(lines []string) {
	for _, line := range lines {
		if v, ok := strings.CutPrefix(line, "+resourceName="); ok {
			k.Plural = unquoted(v)
		}
		if !strings.HasPrefix(line, "+kubebuilder:") {
			continue
		}
		def := registry.Lookup(line, markers.DescribesType)
		if def == nil {
			continue
		}
		value, err := def.Parse(line)
		if err != nil {
			continue
		}
		switch m := value.(type) {
		case crdmarkers.Resource:
			if m.Path != "" {
				k.Plural = m.Path
			}
			k.scope = m.Scope
			k.Namespaced = m.Scope != "Cluster"
		case crdmarkers.SubresourceStatus:
			k.StatusSubresource = true
		case crdmarkers.SelectableField:
			k.Selectable = append(k.Selectable, strings.TrimPrefix(m.JSONPath, "."))
		}
	}
}

// typeMarkers returns the marker lines of a type: of its doc comment, and of the comment that stands alone right above it.
func typeMarkers(pkg *source.Package, name string) []string {
	for _, f := range pkg.Files {
		end := f.File.Name.End()
		for _, decl := range f.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				end = decl.End()
				continue
			}
			for _, spec := range gen.Specs {
				spec := spec.(*ast.TypeSpec)
				if spec.Name.Name == name {
					return around(f.File, gen, spec, end)
				}
				end = spec.End()
			}
			end = decl.End()
		}
	}
	return nil
}

// around collects the markers of a type spec; after is the end of what is declared before it.
func around(f *ast.File, gen *ast.GenDecl, spec *ast.TypeSpec, after token.Pos) []string {
	doc, start := spec.Doc, spec.Pos()
	if doc == nil && !gen.Lparen.IsValid() {
		doc, start = gen.Doc, gen.Pos()
	}
	if doc != nil {
		start = doc.Pos()
	}
	var nearest *ast.CommentGroup
	for _, g := range f.Comments {
		if g.Pos() > after && g.End() < start {
			nearest = g
		}
	}
	return append(source.MarkerLines(nearest), source.MarkerLines(doc)...)
}

// fieldMarkers returns the marker lines of a struct field, if its source can be read.
func (c *Catalog) fieldMarkers(v *types.Var) []string {
	if v.Pkg() == nil {
		return nil
	}
	pkg := c.program.Find(v.Pkg().Path())
	if pkg == nil {
		pos := c.program.Position(v.Pos())
		return markersAbove(c.linesOf(pos.Filename), pos.Line)
	}
	if f := pkg.FileOf(v.Pos()); f != nil {
		if field := fieldAt(f.File, v.Pos()); field != nil {
			return source.MarkerLines(field.Doc)
		}
	}
	return nil
}

// HasDefault reports whether the API server fills in a missing field.
func (c *Catalog) HasDefault(v *types.Var) bool {
	return slices.ContainsFunc(c.fieldMarkers(v), func(line string) bool {
		return strings.HasPrefix(line, "+kubebuilder:default") || strings.HasPrefix(line, "+default")
	})
}

// MarkedOptional reports whether a marker says that a field may be missing.
func (c *Catalog) MarkedOptional(v *types.Var) bool {
	return slices.ContainsFunc(c.fieldMarkers(v), func(line string) bool {
		return line == "+optional" || line == "+kubebuilder:validation:Optional" || line == "+k8s:optional"
	})
}

// linesOf reads an imported file once; what cannot be read has no lines.
func (c *Catalog) linesOf(name string) []string {
	lines, known := c.lines[name]
	if !known {
		if data, err := os.ReadFile(name); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		c.lines[name] = lines
	}
	return lines
}

// fieldAt finds the declaration of a struct field.
func fieldAt(f *ast.File, pos token.Pos) *ast.Field {
	var found *ast.Field
	for _, decl := range f.Decls {
		if pos < decl.Pos() || pos >= decl.End() {
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos >= n.End() {
				return false
			}
			if field, ok := n.(*ast.Field); ok {
				found = field
			}
			return true
		})
	}
	return found
}

// foreignSource holds the marker lines that concern a kind in the sources of an imported package.
type foreignSource struct {
	markers []string // of the type
	comment []string // of the package
}

// readForeign reads comments from the sources of an imported package, as far as they are there.
func (c *Catalog) readForeign(obj *types.TypeName) foreignSource {
	pos := c.program.Position(obj.Pos())
	src := foreignSource{markers: markersAbove(c.linesOf(pos.Filename), pos.Line)}
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(pos.Filename), "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || model.Generated(name) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err == nil {
			src.comment = append(src.comment, source.PackageMarkers(f)...)
		}
	}
	return src
}

// markersAbove returns the marker lines of the comments right above a line. The files of API groups are long, and only these lines of them
// matter, so they are not parsed.
func markersAbove(lines []string, line int) []string {
	var found []string
	for i := line - 2; i >= 0 && i < len(lines); i-- {
		trimmed := strings.TrimSpace(lines[i])
		comment, is := strings.CutPrefix(trimmed, "//")
		if !is && trimmed != "" {
			break
		}
		if comment = strings.TrimSpace(comment); is && strings.HasPrefix(comment, "+") {
			found = append(found, comment)
		}
	}
	slices.Reverse(found)
	return found
}
