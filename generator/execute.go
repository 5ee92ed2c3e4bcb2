package generator

import (
	"go/ast"
	"go/types"

	"github.com/kopfgen/kopfgen/generator/model"
)

// executes reports whether a handler of the resource calls kopf.Execute, itself or through functions of the author's packages, so that results of
// sub-handlers, whose ids are only known at run time, can appear in the status.
func (a *assembly) executes(r *model.Resource) bool {
	s := search{assembly: a, seen: map[*types.Func]bool{}}
	for _, e := range a.entries {
		if k := e.kind; k != nil && k.Group == r.Group && k.Version == r.Version && k.Name == r.Kind && s.reaches(e.fn.Object) {
			return true
		}
	}
	return false
}

// search follows the functions that functions mention.
type search struct {
	*assembly
	seen   map[*types.Func]bool
	bodies map[*types.Func]body
}

type body struct {
	block *ast.BlockStmt
	info  *types.Info
}

func (s *search) reaches(fn *types.Func) bool {
	fn = fn.Origin()
	if s.seen[fn] || fn.Pkg() == nil {
		return false
	}
	s.seen[fn] = true
	if fn.Pkg().Path() == model.KopfPath && fn.Name() == "Execute" {
		return true
	}
	b, ok := s.index()[fn]
	if !ok || b.block == nil {
		return false
	}
	found := false
	ast.Inspect(b.block, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			if used, ok := b.info.Uses[id].(*types.Func); ok {
				found = s.reaches(used)
			}
		}
		return !found
	})
	return found
}

// index finds the bodies of the functions of the loaded packages.
func (s *search) index() map[*types.Func]body {
	if s.bodies != nil {
		return s.bodies
	}
	s.bodies = map[*types.Func]body{}
	for _, pkg := range s.program.Packages {
		for _, f := range pkg.Files {
			for _, decl := range f.Decls {
				if d, ok := decl.(*ast.FuncDecl); ok {
					if fn, ok := pkg.Info.Defs[d.Name].(*types.Func); ok {
						s.bodies[fn] = body{d.Body, pkg.Info}
					}
				}
			}
		}
	}
	return s.bodies
}
