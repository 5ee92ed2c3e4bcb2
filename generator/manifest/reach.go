package manifest

import (
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// copied says how a type gets its deep copy methods.
type copied int

const (
	asValue   copied = iota // DeepCopyInto and DeepCopy
	asObject                // and DeepCopyObject
	elsewhere               // from another generated file
)

// typeID names a type across the two ways in which packages are loaded.
type typeID struct{ path, name string }

// reach finds the types that need deep copies, beginning at kinds.
type reach struct {
	*world
	types *token.FileSet // of the types that are visited
	found map[typeID]copied
	diags *diagnostic.List
	kind  Kind
}

func (r *reach) from(k Kind) {
	r.kind = k
	before, said := maps.Clone(r.found), r.diags
	if !k.Handled {
		r.diags = &diagnostic.List{}
	}
	r.visit(k.Type.Type(), k.Pos)
	if r.diags != said && r.diags.Len() > 0 {
		r.found = before
	}
	r.diags = said
	id := typeID{k.Type.Pkg().Path(), k.Type.Name()}
	if r.found[id] == asValue {
		r.found[id] = asObject
	}
}

// visit notes the named types in t; pos is the field that has it.
func (r *reach) visit(t types.Type, pos token.Position) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		r.named(t, pos)
	case *types.Struct:
		r.fields(t, nil)
	case interface{ Elem() types.Type }:
		r.visit(t.Elem(), pos)
	}
}

func (r *reach) named(t *types.Named, pos token.Position) {
	obj := t.Obj()
	if obj.Pkg() == nil || types.IsInterface(t) {
		return
	}
	id := typeID{obj.Pkg().Path(), obj.Name()}
	if _, done := r.found[id]; done {
		return
	}
	own := r.owns(id.path)
	method := copyMethod(t)
	fields, isStruct := t.Underlying().(*types.Struct)
	switch {
	case method != nil && (!own || filepath.Base(r.file(method)) != model.DeepCopyFile):
		if own {
			r.found[id] = r.handWritten(method, id.path)
		}
	case shallow(t) && (!own || t.TypeArgs().Len() > 0 || !obj.Exported()):
	case !isStruct && (!own || t.TypeArgs().Len() > 0):
		r.visit(t.Underlying(), pos) // copied where it is used
	case !own:
		hint := "wrap it in a type of your own, and write its DeepCopyInto by hand"
		if qualified(t) == "time.Time" {
			hint = "use metav1.Time"
		}
		r.diags.Addf(pos, codeNoCopy, hint,
			"%s has no DeepCopyInto, so %s cannot be copied", typeName(t, r.kind), r.kind.Type.Name())
	case t.TypeArgs().Len() > 0:
		r.diags.Addf(pos, codeNoCopy, "write its methods DeepCopyInto and DeepCopy by hand, or use a type that is not generic",
			"%s is generic: its deep copy cannot be generated", typeName(t, r.kind))
	default:
		r.found[id] = asValue
		if isStruct {
			r.fields(fields, t)
			return
		}
		r.visit(t.Underlying(), pos)
	}
}

// fields visits the fields of a struct, of a named type unless owner is nil.
func (r *reach) fields(s *types.Struct, owner *types.Named) {
	for f := range s.Fields() {
		pos := r.kind.Pos
		if owner != nil {
			pos = r.fieldPos(owner, f.Name(), pos)
		}
		r.visit(f.Type(), pos)
	}
}

// handWritten distinguishes methods in files that controller-tools sees, which it completes, from those in files that other tools generated
// and that a build tag hides.
func (r *reach) handWritten(method *types.Func, path string) copied {
	file := filepath.Base(r.file(method))
	if slices.ContainsFunc(r.all[path].CompiledGoFiles, func(f string) bool { return filepath.Base(f) == file }) {
		return asValue
	}
	return elsewhere
}

// byPackage groups what was found.
func (r *reach) byPackage() map[string]map[string]copied {
	all := map[string]map[string]copied{}
	for id, how := range r.found {
		if all[id.path] == nil {
			all[id.path] = map[string]copied{}
		}
		all[id.path][id.name] = how
	}
	return all
}

func (r *reach) file(method *types.Func) string { return r.types.Position(method.Pos()).Filename }

// fieldPos is the position of a field's type.
func (r *reach) fieldPos(owner *types.Named, field string, otherwise token.Position) token.Position {
	info := r.info(owner.Obj().Pkg().Path(), owner.Obj().Name())
	if info == nil {
		return otherwise
	}
	for _, f := range info.Fields {
		if f.Name == field {
			return r.at(f.RawField.Type)
		}
	}
	return otherwise
}

// copyMethod returns the method that makes a deep copy of t, if it has one of its own.
func copyMethod(t *types.Named) *types.Func {
	for _, name := range []string{"DeepCopyInto", "DeepCopy"} {
		m, index, _ := types.LookupFieldOrMethod(t, true, t.Obj().Pkg(), name)
		if f, ok := m.(*types.Func); ok && len(index) == 1 {
			return f
		}
	}
	return nil
}

// shallow reports whether an assignment copies a value entirely. As in controller-tools, arrays do not count.
func shallow(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if !shallow(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
