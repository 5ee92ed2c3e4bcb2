package manifest

import (
	"go/types"
	"reflect"
	"strings"
)

// member is a member of the JSON object that a struct is encoded to.
type member struct {
	name      string
	field     *types.Var
	omitEmpty bool
	quoted    bool // the string option
}

// members lists what encoding/json makes of a struct: fields of embedded structs belong to it unless a field nearer to it has the name.
func members(s *types.Struct) []member {
	var all []member
	seen := map[string]bool{}
	visited := map[*types.Struct]bool{}
	for level := []*types.Struct{s}; len(level) > 0; {
		var deeper []*types.Struct
		var names []string
		for _, s := range level {
			if visited[s] {
				continue
			}
			visited[s] = true
			for i := range s.NumFields() {
				f := s.Field(i)
				tag := reflect.StructTag(s.Tag(i)).Get("json")
				if tag == "-" {
					continue
				}
				name, options := parseTag(tag)
				if f.Embedded() && name == "" {
					if inner, ok := structOf(f.Type()); ok {
						deeper = append(deeper, inner)
						continue
					}
				}
				if !f.Exported() {
					continue
				}
				if name == "" {
					name = f.Name()
				}
				if !seen[name] {
					all = append(all, member{
						name: name, field: f,
						omitEmpty: strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero"),
						quoted:    strings.Contains(options, "string"),
					})
					names = append(names, name)
				}
			}
		}
		for _, name := range names {
			seen[name] = true
		}
		level = deeper
	}
	return all
}

// memberType returns the type of one member of a struct, or of a pointer to one.
func memberType(t types.Type, name string) (types.Type, bool) {
	s, ok := structOf(t)
	if !ok {
		return nil, false
	}
	for _, m := range members(s) {
		if m.name == name {
			return m.field.Type(), true
		}
	}
	return nil, false
}

func structOf(t types.Type) (*types.Struct, bool) {
	s, ok := deref(t).Underlying().(*types.Struct)
	return s, ok
}

// deref strips aliases and one pointer.
func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return types.Unalias(t)
}

// parseTag splits a json tag into the name and the options.
func parseTag(tag string) (name, options string) {
	name, options, _ = strings.Cut(tag, ",")
	return name, options
}
