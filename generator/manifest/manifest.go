// Package manifest makes what surrounds an operator's Go code: the CustomResourceDefinitions of the kinds that it handles, and the deep
// copies of their types. Both come from controller-tools, used as a library and kept behind this package.
//
// With package emit, it is the last stage of the generator. It takes kinds and results that were found in the author's code and returns
// files; it reads sources, but writes nothing, neither to disk nor to the terminal. What controller-tools complains about, and what it
// accepts in silence although the API server would not, becomes diagnostics.
//
// The sources are loaded a second time here: controller-tools needs the syntax and comments of packages that the rest of the generator has as
// export data, and must not see deep copies that it has generated before.
package manifest

import (
	"context"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// Request says what to make.
type Request struct {
	// Dir is where the go command runs, inside the author's module; Module is the path of that module.
	Dir, Module string
	// Fset resolves the positions of the types of Kinds.
	Fset *token.FileSet
	// Kinds are the kinds that need deep copies and, if they belong to the module, CRDs.
	Kinds []Kind
}

// Kind is a root kind: a struct that embeds TypeMeta and ObjectMeta.
type Kind struct {
	// Type is its declaration, from export data or source.
	Type *types.TypeName
	// CRD asks for its definition; deep copies are made for every kind of the module.
	CRD bool
	// Handled means that the operator has handlers for it. For other kinds, nothing is reported that only their own users could fix: they
	// are left out if something is missing.
	Handled bool
	// Pos is where to report mistakes that have no better place.
	Pos token.Position
	// Results are what handlers return and the operator writes to the status.
	Results []Result
	// Unknown means that more is written to the status than Results says: handlers return any, or have sub-handlers.
	Unknown bool
	// Edits are the parts of the object that handlers edit as typed copies, such as "spec"; "" stands for the whole object.
	Edits []string
}

// Result is what a handler returns and the operator writes to a key of the status.
type Result struct {
	// Key is the member of the status.
	Key string
	// Type is the Go type that is encoded.
	Type types.Type
	// Pos is the handler's.
	Pos token.Position
}

// File is a file to be written.
type File struct {
	// Path is absolute for Go files, and relative to the directory for CRDs otherwise.
	Path string
	Data []byte
}

// Files are what a run makes.
type Files struct {
	// CRDs hold one definition each, by path.
	CRDs []File
	// Go are the deep copies, one file for each package.
	Go []File
}

// Generate makes the CRDs and the deep copies. Mistakes of the author go to diags; if there are any, the files are incomplete. The
// error is for what is not the author's doing, such as a go command that does not start.
func Generate(ctx context.Context, req Request, diags *diagnostic.List) (files Files, err error) {
	req.Kinds = slices.DeleteFunc(slices.Clone(req.Kinds), func(k Kind) bool {
		foreign := !within(k.Type.Pkg().Path(), req.Module)
		if foreign {
			warnPruned(k, diags)
		}
		return foreign
	})
	if len(req.Kinds) == 0 {
		return Files{}, nil
	}
	w, err := load(ctx, req)
	if err != nil {
		return Files{}, err
	}
	// controller-tools assumes some things that Go does not promise; if it panics because of that, kopfgen must not seem to crash.
	defer func() {
		if p := recover(); p != nil {
			files = Files{}
			diags.Addf(req.Kinds[0].Pos, codeSchema, "", "controller-tools does not get along with the types of %s: %v", kindNames(req.Kinds), p)
		}
	}()

	seen := len(w.errors())
	var own, defined []Kind
	for _, k := range req.Kinds {
		if w.owns(k.Type.Pkg().Path()) {
			own = append(own, k)
			if k.CRD {
				defined = append(defined, k)
			}
		} else {
			warnPruned(k, diags)
		}
	}
	w.warnMarkers(diags)
	files.CRDs = w.crds(defined, diags)
	files.Go = w.deepCopies(own, req.Fset, diags)
	w.report(w.errors()[seen:], req.Kinds[0].Pos, diags)
	slices.SortFunc(files.CRDs, byPath)
	slices.SortFunc(files.Go, byPath)
	return files, nil
}

// within reports whether a package may belong to a module; a module nested in it has the same prefix.
func within(path, module string) bool { return path == module || strings.HasPrefix(path, module+"/") }

func byPath(a, b File) int {
	return strings.Compare(filepath.ToSlash(a.Path), filepath.ToSlash(b.Path))
}

func kindNames(kinds []Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Type.Name()
	}
	return strings.Join(names, ", ")
}
