package manifest

import (
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// errors returns what controller-tools has complained about so far. Syntax and type errors are not among that: earlier stages report
// them, and some that appear here are only due to types that were not loaded.
func (w *world) errors() []packages.Error {
	var all []packages.Error
	for _, p := range w.all {
		for _, e := range p.Errors {
			if e.Kind == packages.UnknownError {
				all = append(all, e)
			}
		}
	}
	return all
}

// report turns errors into diagnostics; those without a position are reported at otherwise.
func (w *world) report(errs []packages.Error, otherwise token.Position, diags *diagnostic.List) {
	schema, schemaLines, used := 0, map[string]bool{}, map[string]bool{}
	for _, e := range errs {
		if !fromCopies(e) {
			schema++
			schemaLines[line(e)] = true
		}
	}
	for _, e := range errs {
		pos, ok := diagnostic.ParsePosition(e.Pos)
		if fromCopies(e) && (schemaLines[line(e)] || !ok && schema > 0) {
			continue
		}
		if foreign := w.foreignAt(pos); ok && foreign != nil {
			// One diagnostic where the author uses the package says more than one for each field in it.
			if !used[foreign.PkgPath] {
				used[foreign.PkgPath] = true
				diags.Addf(w.useOf(foreign, otherwise), codeSchema, "use a type that is made for APIs, or mark the field with +kubebuilder:validation:Schemaless "+
					"and +kubebuilder:pruning:PreserveUnknownFields", "no schema can describe a type of %s: %s", foreign.PkgPath, e.Msg)
			}
			continue
		}
		if !ok {
			pos = otherwise
		}
		pos.Column = max(pos.Column, 1)
		if strings.Contains(e.Msg, "*ast.Index") {
			diags.Addf(pos, codeSchema, "mark the field with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields",
				"no schema can describe a generic type")
			continue
		}
		diags.Addf(pos, codeSchema, "", "%s", strings.TrimSuffix(lowerFirst(e.Msg), "."))
	}
}

// foreignAt returns the package of another module that a position lies in, or nil.
func (w *world) foreignAt(pos token.Position) *loader.Package {
	for _, p := range w.all {
		if p.Dir == filepath.Dir(pos.Filename) && !w.owns(p.PkgPath) {
			return p
		}
	}
	return nil
}

// useOf is the position of the author's first field that refers to a package.
func (w *world) useOf(foreign *loader.Package, otherwise token.Position) token.Position {
	best := token.Position{}
	for id, schema := range w.parser.Schemata {
		if !w.owns(id.Package.PkgPath) {
			continue
		}
		for _, r := range references(id, schema) {
			field := fieldOf(w.parser.Types[id], r.property)
			if r.to.Package != foreign || field == nil {
				continue
			}
			if pos := w.at(field.RawField.Type); best.Line == 0 || pos.Filename < best.Filename || pos.Filename == best.Filename && pos.Line < best.Line {
				best = pos
			}
		}
	}
	if best.Line == 0 {
		return otherwise
	}
	return best
}

// fromCopies reports whether an error comes from the deep copies. If the schema has one as well, that is better put and better placed.
func fromCopies(e packages.Error) bool {
	return strings.HasPrefix(e.Msg, "invalid ") && strings.Contains(e.Msg, " type: ") || strings.HasPrefix(e.Msg, "name requested for invalid type")
}

// line is the file and line of an error.
func line(e packages.Error) string {
	pos, _ := diagnostic.ParsePosition(e.Pos)
	return pos.Filename + ":" + strconv.Itoa(pos.Line)
}

func lowerFirst(s string) string {
	if len(s) > 1 && 'A' <= s[0] && s[0] <= 'Z' && !('A' <= s[1] && s[1] <= 'Z') {
		return string(s[0]|0x20) + s[1:]
	}
	return s
}
