package markers

import (
	"go/ast"
	"go/token"
)

// File is what the markers of one source file say.
type File struct {
	// Operators are the +kopf:operator markers above the package clause. The caller decides about a second one, here or elsewhere in the package.
	Operators []*Operator
	// Functions are the functions and methods with at least one marker, in source order.
	Functions []Function
}

// Function is a function or method that carries handler markers.
type Function struct {
	Decl     *ast.FuncDecl
	Handlers []*Handler // in source order, never empty
}

// Handler is a +kopf:on marker.
//
// Arguments that were left out or not understood have Set false. Kinds and arguments that are known but not supported yet are reported,
// and have no field here.
type Handler struct {
	Pos    token.Pos // of the '+'
	Text   string    // from the '+' to the end of the line
	Faulty bool      // a mistake was reported, so an argument that is not set may have been misspelled

	On []Item[Kind] // the kinds that were understood; of one family; empty only if Faulty

	Kind      Arg[string]
	Group     Arg[string] // "" with Set is the core group
	Version   Arg[string]
	Name      Arg[string]   // a literal or a glob as in path.Match
	Namespace Arg[string]   // the same
	Labels    Arg[Selector] // never empty
	// Annotations use the syntax of label selectors. Annotation values that labels could not have are not expressible.
	Annotations     Arg[Selector]
	Field           Arg[Path]
	Value, Old, New Arg[Criterion] // only with Field; Value excludes the other two
	When, Enabled   Arg[Ident]

	Retries Arg[Number]
	Timeout Arg[Duration]
	Backoff Arg[Backoff]
	Errors  Arg[string] // "temporary", "permanent" or "ignored"

	ID       Arg[string]
	Param    Arg[Literal]
	Result   Arg[Result]
	Optional Arg[bool] // only if On has Delete
	Deleted  Arg[bool] // only if On has Resume

	// When daemons, timers and background work run, and how daemons are ended. Durations have no None here.
	InitialDelay        Arg[Duration] // for objects, an identifier may also be a function that is asked for each
	Interval, Idle      Arg[Duration]
	Sharp               Arg[bool] // only with Interval
	CancellationBackoff Arg[Duration]
	CancellationTimeout Arg[Duration]
	CancellationPolling Arg[Duration] // not with CancellationTimeout
	WhilePaused         Arg[bool]     // only if On has Background
}

// Has reports whether the handler runs for the kind.
func (h *Handler) Has(k Kind) bool {
	for _, on := range h.On {
		if on.Value == k {
			return true
		}
	}
	return false
}

// Operator is a +kopf:operator marker. Set is false for its arguments in the same cases as for those of a [Handler].
type Operator struct {
	Pos    token.Pos
	Text   string
	Faulty bool

	Name      Arg[string] // a DNS label
	Prefix    Arg[string] // of annotations: a DNS subdomain
	Finalizer Arg[string] // a qualified name
	Retries   Arg[Number]
	Timeout   Arg[Duration]
	Backoff   Arg[Backoff]
	IDs       Arg[string]         // "go" or "snake_case"
	Packages  Arg[[]Item[string]] // patterns of the go command, relative to the module or the operator's directory as written
}

// Arg is an argument of a marker.
type Arg[T any] struct {
	Set   bool
	Name  token.Pos // of the argument's name
	Pos   token.Pos // of the value as written, its opening quote included
	Text  string    // the value as written
	Value T
}

// Item is an element of a list.
type Item[T any] struct {
	Pos   token.Pos
	Value T
}
