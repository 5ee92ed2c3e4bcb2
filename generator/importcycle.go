package generator

import (
	"go/types"
	"strconv"

	"github.com/kopfgen/kopfgen/generator/source"
)

// importsOperator reports whether a package of handlers imports the operator's package, after adding a diagnostic that says so: since the
// generated file imports the handlers, Go would complain about an import cycle in a file that the author has not written.
func (a *assembly) importsOperator(pkg *source.Package) bool {
	if pkg == a.own || !reaches(pkg.Types, a.own.Path, map[*types.Package]bool{}) {
		return false
	}
	pos := a.op.Pos
	for _, f := range pkg.Files {
		for _, spec := range f.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil && path == a.own.Path {
				pos = a.program.Position(spec.Path.Pos())
			}
		}
	}
	a.errorf(pos, codeOperator, "move what both need, such as the kinds, to a package of its own",
		"%s imports the operator's package, whose generated code imports %s for its handlers", pkg.Path, pkg.Name)
	return true
}

// reaches reports whether a package imports another one, itself or through others.
func reaches(from *types.Package, path string, done map[*types.Package]bool) bool {
	if done[from] {
		return false
	}
	done[from] = true
	for _, p := range from.Imports() {
		if p.Path() == path || reaches(p, path, done) {
			return true
		}
	}
	return false
}
