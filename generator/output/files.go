// Package output turns operators into files: the Go code that package emit prints, the deep copies and the definitions that package
// manifest makes, and the roles of package access.
//
// It is the end of the generator, which is a function from packages to files and diagnostics; only the command writes to disk.
package output

import (
	"cmp"
	"context"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/access"
	"github.com/kopfgen/kopfgen/generator/emit"
	"github.com/kopfgen/kopfgen/generator/manifest"
	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// Config says what is known about the operators besides their models.
type Config struct {
	// Module is the path of their module, and Fset resolves the positions of their types.
	Module string
	Fset   *token.FileSet
	// CRDDir is where CRDs go; empty means config/crd below the directory of each operator.
	CRDDir string
}

// File is a file to be written.
type File struct {
	// Path is absolute, unless the directories of the Config are not.
	Path string
	Data []byte
}

// Files makes the files of the operators, sorted by path. Mistakes go to diags; if there are errors among them, the files must not be
// written.
func Files(ctx context.Context, cfg Config, operators []*model.Operator, diags *diagnostic.List) ([]File, error) {
	var files []File
	for _, op := range operators {
		code, err := emit.File(op)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: filepath.Join(op.Dir, model.OperatorFile), Data: code})
		made, err := manifests(ctx, cfg, op, diags)
		if err != nil {
			return nil, err
		}
		for _, f := range made.CRDs {
			files = append(files, File{Path: filepath.Join(cmp.Or(cfg.CRDDir, filepath.Join(op.Dir, "config", "crd")), f.Path), Data: f.Data})
		}
		for _, f := range access.Roles(op) {
			files = append(files, File{Path: filepath.Join(op.Dir, "config", "rbac", f.Name), Data: f.Data})
		}
		for _, f := range made.Go {
			files = append(files, File(f))
		}
	}
	return merge(files), nil
}

// Check reports what is wrong with the types of operators, for a run that has already failed but should still report everything at once.
func Check(ctx context.Context, cfg Config, operators []*model.Operator, diags *diagnostic.List) error {
	for _, op := range operators {
		if _, err := manifests(ctx, cfg, op, diags); err != nil {
			return err
		}
	}
	return nil
}

func manifests(ctx context.Context, cfg Config, op *model.Operator, diags *diagnostic.List) (manifest.Files, error) {
	return manifest.Generate(ctx, manifest.Request{
		Dir: op.Dir, Module: cfg.Module, Fset: cfg.Fset,
		Kinds: kinds(op),
	}, diags)
}

// merge sorts the files, and drops all but one of those that several operators have made with the same content.
func merge(files []File) []File {
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(filepath.ToSlash(a.Path), filepath.ToSlash(b.Path)) })
	return slices.CompactFunc(files, func(a, b File) bool { return a.Path == b.Path && string(a.Data) == string(b.Data) })
}

// kinds lists what an operator handles, and the other kinds that the same packages declare: the deep copies of a package are one file,
// which must not depend on the operator for which it was made last.
func kinds(op *model.Operator) []manifest.Kind {
	var all []manifest.Kind
	handled := map[*types.TypeName]bool{}
	for _, r := range op.Resources {
		if r.Type == nil {
			continue
		}
		handled[r.Type.Obj()] = true
		all = append(all, manifest.Kind{
			Type: r.Type.Obj(), Handled: true, CRD: true, Pos: r.Pos,
			Results: results(r), Unknown: r.FreeStatus, Edits: edits(r),
		})
	}
	packages := []*types.Package{op.Package}
	for _, r := range op.Resources {
		if r.Type != nil && r.Declared && !slices.Contains(packages, r.Type.Obj().Pkg()) {
			packages = append(packages, r.Type.Obj().Pkg())
		}
	}
	for _, p := range packages {
		for _, name := range p.Scope().Names() {
			obj, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || obj.IsAlias() || handled[obj] {
				continue
			}
			if _, ok := schema.IsKind(obj.Type()); ok {
				all = append(all, manifest.Kind{Type: obj, Pos: op.Pos, CRD: p == op.Package})
			}
		}
	}
	return all
}

// results adds the positions of the handlers to the results of a kind.
func results(r *model.Resource) []manifest.Result {
	list := make([]manifest.Result, len(r.Results))
	for i, result := range r.Results {
		list[i] = manifest.Result{Key: result.Key, Type: result.Type, Pos: r.Pos}
		for _, h := range r.Handlers {
			if key := h.Result; key == result.Key || key == "" && h.ID == result.Key {
				list[i].Pos = h.Pos
				break
			}
		}
	}
	return list
}

// edits lists the parts of a kind's objects that handlers edit as Go values.
func edits(r *model.Resource) []string {
	var parts []string
	for _, h := range r.Handlers {
		for _, p := range h.Func.Params {
			if p.Kind == model.ParamEdit {
				parts = append(parts, strings.Join(p.Part.Path, "."))
			}
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}
