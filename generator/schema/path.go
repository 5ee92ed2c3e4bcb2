package schema

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// Place is where a field path leads to.
type Place struct {
	// Type is the field's type as declared; nil where the kind has no Go type.
	Type types.Type
	// Steps lead to it in Go from a value of the kind.
	Steps []model.Step
	// Optional means that the field may be absent: something on the way is a pointer, a map, or left out when empty.
	Optional bool
	// String means that numbers and booleans are strings in JSON.
	String bool
	// Vars are the struct fields on the way, for their comments.
	Vars []*types.Var
}

// PathError says at which segment a path goes wrong.
type PathError struct {
	Segment int
	Code    string
	Message string
	Hint    string
}

func (e *PathError) Error() string { return e.Message }

// Resolve follows the JSON names of a path from a Go type. Without a type, any path will do. The error is a [*PathError].
func Resolve(t types.Type, path []string) (Place, error) {
	if t == nil {
		return Place{Optional: true}, nil
	}
	place := Place{Type: types.Unalias(t)}
	for i, name := range path {
		if err := place.step(path, i, name); err != nil {
			return Place{}, err
		}
	}
	return place, nil
}

func (p *Place) step(path []string, i int, name string) error {
	in, pointer := Deref(p.Type)
	if pointer && i > 0 {
		p.Optional = true
	}
	at := "the object"
	if i > 0 {
		at = markers.SpellPath(path[:i])
	}
	if what := opaque(in); what != "" {
		return &PathError{Segment: i, Code: codePathEnds, Message: fmt.Sprintf("%s is %s: what is inside is not known", at, what),
			Hint: "end the path there; old and new of type kopf.Raw take any value"}
	}
	switch u := in.Underlying().(type) {
	case *types.Struct:
		f, ok := Member(in, name)
		if !ok {
			return &PathError{Segment: i, Code: codeNoField, Message: fmt.Sprintf("%s has no field %q", at, name), Hint: fieldHint(in, name)}
		}
		p.enter(f)
		return nil
	case *types.Map:
		if key, ok := u.Key().Underlying().(*types.Basic); !ok || key.Info()&types.IsString == 0 {
			return &PathError{Segment: i, Code: codePathEnds, Message: fmt.Sprintf("%s is a map whose keys are not strings", at), Hint: "watch the map as a whole"}
		}
		p.Type = types.Unalias(u.Elem())
		p.Optional, p.String = true, false
		_, isPointer := Deref(p.Type)
		p.Steps = append(p.Steps, model.Step{Kind: model.StepKey, Name: name, Pointer: isPointer})
		return nil
	case *types.Slice, *types.Array:
		return &PathError{Segment: i, Code: codePathEnds, Message: at + " is a list, and lists are watched as a whole", Hint: "end the path there"}
	}
	return &PathError{Segment: i, Code: codeNoField, Message: fmt.Sprintf("%s is of type %s and has no fields", at, describe(in)), Hint: "end the path there"}
}

// enter goes into a field of the current struct.
func (p *Place) enter(f Field) {
	for _, v := range f.Index {
		_, pointer := Deref(v.Type())
		p.Steps = append(p.Steps, model.Step{Name: v.Name(), Pointer: pointer})
		p.Vars = append(p.Vars, v)
	}
	p.Type = types.Unalias(f.Type())
	p.Optional = p.Optional || f.Optional
	p.String = f.String
	if _, pointer := Deref(p.Type); pointer {
		p.Optional = true
	}
}

// opaque describes a type whose fields are not known, or returns "".
func opaque(t types.Type) string {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return "of an interface type"
	}
	if DecodesItself(t) {
		if n, ok := t.(*types.Named); ok {
			return "of type " + n.Obj().Pkg().Name() + "." + n.Obj().Name() + ", which decodes itself"
		}
		return "of a type that decodes itself"
	}
	return ""
}

func describe(t types.Type) string {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Name()
	}
	return t.String()
}

// fieldHint suggests the nearest JSON name, also for authors who wrote the Go name.
func fieldHint(t types.Type, name string) string {
	var names []string
	for _, f := range Fields(t) {
		if f.Var().Name() == name {
			return fmt.Sprintf("did you mean %q?", f.JSON)
		}
		names = append(names, f.JSON)
	}
	if hint := diagnostic.DidYouMean(name, names); hint != "" {
		return hint
	}
	slices.Sort(names)
	switch {
	case len(names) == 0:
		return "it has no fields at all"
	case len(names) > 12:
		return ""
	}
	return "it has " + strings.Join(names, ", ")
}
