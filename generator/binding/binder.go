package binding

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// Binder binds the functions of one operator.
type Binder struct {
	Program *source.Program
	Catalog *schema.Catalog
	// Operator is the package that code is generated into.
	Operator *types.Package
	// Providers are the results of startup handlers that parameters can take.
	Providers []*model.Provider
	// LogsIn means that login handlers make the configuration of the operator's clients, so that nothing before them can have it.
	LogsIn bool
	// Memos collects the types of memos.
	Memos []*model.Memo
	// Indexes are the indexes that parameters can take. IndexesLost means that there are more, of which mistakes have been reported.
	Indexes     []*model.Index
	IndexesLost bool
	Diags       *diagnostic.List
}

// Function is a function or method to be bound, and where it was found.
type Function struct {
	Object *types.Func
	// Package and File are those of its declaration or, if that was not loaded, of the marker that names it.
	Package *source.Package
	File    *source.File
	// Decl is nil for functions of packages that were loaded without syntax.
	Decl *ast.FuncDecl
}

// Role is what a function is called for; it decides what is offered to its parameters.
type Role int

// The roles.
const (
	Handler Role = 1 << iota // of a resource
	Startup
	Cleanup
	Login
	Probe
	Background
	Filter // when=, and the functions for initialDelay=
	Switch // enabled=, and functions that yield times and numbers
)

// Activity are the roles of handlers of the operator itself.
const Activity = Startup | Cleanup | Login | Probe | Background

// Site is where generated code will call a function: what for, and what the marker says about it.
type Site struct {
	Role Role
	On   model.Kind
	// Kind is nil for everything but handlers and filters.
	Kind *schema.Kind
	// Field is the handler's field, if it has one.
	Field *Field
	// Result is what a Filter or a Switch returns.
	Result Want
	// Param is the marker's param argument.
	Param markers.Arg[markers.Literal]
	// Faulty means that a mistake in the marker was reported: an argument that is missing may have been misspelled.
	Faulty bool
	// Marker is where to report mistakes of a function without source: the marker, or the identifier in it.
	Marker token.Pos
}

// Field is a handler's field.
type Field struct {
	Path  []string
	Place schema.Place
}

// at resolves a position.
func (b *Binder) at(pos token.Pos) token.Position { return b.Program.Position(pos) }

func (b *Binder) errorf(pos token.Pos, code, hint, format string, args ...any) {
	b.Diags.Addf(b.at(pos), code, hint, format, args...)
}

// Bind binds a function and reports what does not fit. It returns whether everything did; if not, the Func may be incomplete or nil.
func (b *Binder) Bind(fn Function, site Site) (*model.Func, bool) {
	c := &call{Binder: b, fn: fn, site: site, sig: fn.Object.Signature(), ok: true, taken: map[string]*model.Param{}, place: map[*model.Param]token.Pos{}}
	c.out.Ref = model.Ref{Package: fn.Object.Pkg(), Name: fn.Object.Name()}
	if !c.shape() {
		return nil, false
	}
	c.receiver()
	c.offers = c.allOffers()
	for i := range c.sig.Params().Len() {
		c.parameter(i)
	}
	c.change()
	c.view()
	c.missingParam()
	c.results()
	return &c.out, c.ok
}

// call is the call of one function in the making.
type call struct {
	*Binder
	fn     Function
	site   Site
	sig    *types.Signature
	out    model.Func
	ok     bool
	offers []offer
	taken  map[string]*model.Param // the parameters by the keys of what they took
	place  map[*model.Param]token.Pos
	parts  []*part // of the view
}

// fail reports a mistake and makes Bind return false.
func (c *call) fail(pos token.Pos, code, hint, format string, args ...any) {
	c.ok = false
	c.errorf(pos, code, hint, format, args...)
}

// name is the function as messages call it.
func (c *call) name() string { return c.fn.Object.Name() }

// pos is the position of the function's name in its declaration or, without one, of the marker.
func (c *call) pos() token.Pos {
	if c.fn.Decl != nil {
		return c.fn.Decl.Name.Pos()
	}
	return c.site.Marker
}

// paramPos is where a parameter stands.
func (c *call) paramPos(v *types.Var) token.Pos {
	if c.fn.Decl != nil && v.Pos().IsValid() {
		return v.Pos()
	}
	return c.site.Marker
}

// typePos is where the type of a parameter or result stands.
func (c *call) typePos(list *ast.FieldList, i int, v *types.Var) token.Pos {
	if expr := typeExpr(list, i); expr != nil {
		return expr.Pos()
	}
	return c.paramPos(v)
}
