package access

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// unseen warns of packages of the author's module that use a client, are used by the operator, and are not part of it.
func (f *Finder) unseen() {
	done := map[string]bool{}
	for _, pkg := range f.Packages {
		done[pkg.Path] = true
	}
	for _, pkg := range f.Packages {
		for _, file := range pkg.Files {
			for _, spec := range file.Imports {
				if guilty := f.hidden(source.ImportPath(spec), done); guilty != "" {
					f.Diags.Add(diagnostic.Diagnostic{
						Pos: f.Program.Position(spec.Pos()), Code: codeUnseen, Warning: true,
						Message: "the rights that " + guilty + " needs are not known, since it is not a package of the operator",
						Hint:    "list it in packages=, or add +kubebuilder:rbac markers",
					})
				}
			}
		}
	}
}

// hidden returns the package, of those that path leads to within the module, that uses a client.
func (f *Finder) hidden(path string, done map[string]bool) string {
	below, inModule := strings.CutPrefix(path, f.Program.ModulePath+"/")
	if !inModule || done[path] || strings.HasPrefix(path, model.KopfPath+"/") {
		return ""
	}
	done[path] = true
	dir := filepath.Join(f.Program.ModuleDir, filepath.FromSlash(below))
	files, err := os.ReadDir(dir)
	if err != nil {
		return "" // a package of another module that is nested in this one
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		// What does not parse is the compiler's to report.
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file.Name()), nil, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, spec := range parsed.Imports {
			imported := source.ImportPath(spec)
			if uses[imported] != nil {
				return path
			}
			if guilty := f.hidden(imported, done); guilty != "" {
				return guilty
			}
		}
	}
	return ""
}
