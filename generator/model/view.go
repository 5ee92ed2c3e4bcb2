package model

import "go/types"

// View is the type that an object is decoded into for a call.
type View struct {
	Kind ViewKind
	// Type is the object's type for ViewWhole, and that of its spec or status for ViewSpec and ViewStatus.
	Type types.Type
	// Fields are the members of a ViewStruct.
	Fields []*ViewField
}

// ViewKind distinguishes the common views, for which the runtime has types, from those that need a type of their own.
type ViewKind int

// The kinds of views.
const (
	ViewNone   ViewKind = iota // operator.None
	ViewWhole                  // the kind's own type, or unstructured.Unstructured
	ViewSpec                   // operator.Spec[Type]
	ViewStatus                 // operator.Status[Type]
	ViewStruct                 // a generated struct
)

// ViewField is a field of a generated struct: of a type, or again a struct of fields.
type ViewField struct {
	Name string // a Go identifier, exported, unique among its siblings
	JSON string // the name in the tag
	Type types.Type
	// Fields are those of a nested struct, if Type is nil.
	Fields []*ViewField
}

// Part is a place in a view.
type Part struct {
	// Path is the JSON path in the object.
	Path []string
	// Steps lead to it in Go, from the view. If none of them but the last may be absent and Type is the parameter's type, they are a plain
	// selector. Otherwise the parameter is nil or zero where a step is absent, and a value is dereferenced, or its address taken.
	Steps []Step
	// Type is the type that the last step arrives at.
	Type types.Type
}

// Plain reports whether the part is a plain selector for a parameter of the type.
func (p Part) Plain(param types.Type) bool {
	for i, s := range p.Steps {
		if s.Kind == StepKey || s.Pointer && i < len(p.Steps)-1 {
			return false
		}
	}
	return types.Identical(p.Type, param)
}

// Step is one step in Go: a field of a struct, or a key of a map.
type Step struct {
	Kind StepKind
	Name string // of the field, or the key
	// Pointer means that the step arrives at a pointer.
	Pointer bool
}

// StepKind says whether a step is a field or a key.
type StepKind int

// The kinds of steps.
const (
	StepField StepKind = iota
	StepKey
)
