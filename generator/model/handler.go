package model

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Handler is one marker on a function.
type Handler struct {
	// ID names the handler in records; a field is already appended.
	ID     string
	On     Kind
	Policy Policy
	// Field is the path of the field, empty for the whole object; FieldType is its type, nil where the schema ends before it.
	Field           []string
	FieldType       types.Type
	Value, Old, New *Criterion
	// Labels and Annotations are selectors in Kubernetes' syntax; Name and Namespace are literal or globs. Empty means any.
	Labels, Annotations, Name, Namespace string
	When                                 *Func // returns bool; takes nothing that can be patched, no context
	Enabled                              *Func // returns bool; takes providers only
	Optional, Deleted                    bool
	// Result is the key below the status, empty for the ID; ResultNone drops it.
	Result     string
	ResultNone bool
	// Schedule is for daemons and timers.
	Schedule Schedule
	// Index is what an index handler fills.
	Index *Index

	Func Func
	Pos  token.Position
}

// Criterion is a condition on the handler's field.
type Criterion struct {
	Test Test
	// Literal and Type are what Equal compares with: a constant, and the basic type to write it in.
	Literal constant.Value
	Type    types.Type
	// Func is the function of Where: a func(Type, bool) bool.
	Func Ref
}

// Test is what a criterion asks.
type Test int

// The tests of a criterion, named as the runtime's constructors.
const (
	Present Test = iota + 1
	Absent
	Equal
	Where
)

// Ref is something declared at package level.
type Ref struct {
	Package *types.Package
	Name    string
}

// Func is a function or method of the author, with all that a call of it needs.
type Func struct {
	Ref
	// Receiver is the provider that a method is called on, nil for functions.
	Receiver *Provider
	// ReceiverName is the name of the receiver's type, for the names of generated methods; empty for functions.
	ReceiverName string
	Params       []*Param
	// View is what the call decodes the object into. Activities, Enabled and policies have none.
	View View
	// Change is set where the function takes old, new or both.
	Change *Change
	// Result is the type of the result that is not the error, nil if there is none. For startup handlers see Activity.Provides.
	Result types.Type
	// ReturnsError means that the last result is an error.
	ReturnsError bool
	// IntoStatus means that Result is the status type, or a pointer to it, and goes into the status itself.
	IntoStatus bool
	// Rows is the form of the results of an index function, which has no Result.
	Rows Rows
}

// Change says how the old and the new state are decoded for a function that takes them. A side that the function does not take has a nil
// type.
type Change struct {
	Old, New types.Type
	// Path is what is cut out of the two states before they are decoded, on top of the handler's field: "spec", or nothing.
	Path []string
}
