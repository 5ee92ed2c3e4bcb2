package schema

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// Field is a member of a JSON object, as encoding/json finds it in a Go struct.
type Field struct {
	JSON string
	// Index leads to the field through embedded structs; the last one is the field itself.
	Index []*types.Var
	Tag   reflect.StructTag
	// Optional means that the field may be left out when it is encoded: omitempty, omitzero, or an embedded pointer on the way.
	Optional bool
	// String means that numbers and booleans are encoded as strings.
	String bool
}

// Var is the field itself.
func (f Field) Var() *types.Var { return f.Index[len(f.Index)-1] }

// Type is the field's type as declared.
func (f Field) Type() types.Type { return f.Var().Type() }

// Fields returns the JSON members of a struct type, by the rules of encoding/json: the fields of embedded structs without a name in their
// tag are promoted, shallower fields hide deeper ones, and among fields of one depth and name the only tagged one counts, or none. For types
// that are not structs it returns nil.
func Fields(t types.Type) []Field {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	type level struct {
		st       *types.Struct
		index    []*types.Var
		optional bool
	}
	var all []Field
	tagged := map[*types.Var]bool{}
	visited := map[*types.Struct]bool{}
	hidden := map[string]bool{} // names found at a lesser depth
	for current := []level{{st: st}}; len(current) > 0; {
		var next []level
		var here []Field
		for _, l := range current {
			if visited[l.st] {
				continue
			}
			visited[l.st] = true
			for i := range l.st.NumFields() {
				v, tag := l.st.Field(i), reflect.StructTag(l.st.Tag(i))
				name, options, _ := strings.Cut(tag.Get("json"), ",")
				if tag.Get("json") == "-" {
					continue
				}
				index := append(slices.Clone(l.index), v)
				elem, pointer := Deref(v.Type())
				inner, embedded := elem.Underlying().(*types.Struct)
				embedded = embedded && v.Embedded()
				if embedded && name == "" {
					next = append(next, level{inner, index, l.optional || pointer})
					continue
				}
				if !v.Exported() && !embedded {
					continue
				}
				f := Field{JSON: name, Index: index, Tag: tag, Optional: l.optional}
				for option := range strings.SplitSeq(options, ",") {
					f.Optional = f.Optional || option == "omitempty" || option == "omitzero"
					f.String = f.String || option == "string"
				}
				if name == "" {
					f.JSON = v.Name()
				} else {
					tagged[v] = true
				}
				here = append(here, f)
			}
		}
		all = append(all, dominant(here, tagged, hidden)...)
		current = next
	}
	return all
}

// dominant returns the fields of one depth that count, and adds their names to hidden.
func dominant(here []Field, tagged map[*types.Var]bool, hidden map[string]bool) []Field {
	byName := map[string][]Field{}
	for _, f := range here {
		byName[f.JSON] = append(byName[f.JSON], f)
	}
	var out []Field
	for _, f := range here {
		rivals := byName[f.JSON]
		if hidden[f.JSON] {
			continue
		}
		if len(rivals) > 1 {
			rivals = slices.DeleteFunc(slices.Clone(rivals), func(r Field) bool { return !tagged[r.Var()] })
			if len(rivals) != 1 || rivals[0].Var() != f.Var() {
				continue
			}
		}
		out = append(out, f)
	}
	for name := range byName {
		hidden[name] = true
	}
	return out
}

// Member returns the field of that JSON name.
func Member(t types.Type, name string) (Field, bool) {
	for _, f := range Fields(t) {
		if f.JSON == name {
			return f, true
		}
	}
	return Field{}, false
}

// Deref resolves aliases and removes one pointer, and reports whether there was one.
func Deref(t types.Type) (types.Type, bool) {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return types.Unalias(p.Elem()), true
	}
	return t, false
}

// DecodesItself reports whether JSON is decoded into t by a method of its own, so that its fields say nothing about it.
func DecodesItself(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return false
	}
	for _, name := range []string{"UnmarshalJSON", "UnmarshalText"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, ok := obj.(*types.Func); ok {
			return true
		}
	}
	return false
}

// Named returns the defined type that t is, or points to.
func Named(t types.Type) (*types.Named, bool) {
	t, _ = Deref(t)
	n, ok := t.(*types.Named)
	return n, ok
}

// Is reports whether t is the type of that name and package.
func Is(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}
