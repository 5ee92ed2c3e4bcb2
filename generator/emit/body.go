package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// body collects the statements of one method. What an argument needs beyond an expression, such as a check for a nil pointer, comes before
// the call.
type body struct {
	*printer
	fn         *model.Func // nil for what has no object
	locals     *locals
	statements []jen.Code
	// source is the variable that values come from: c, or s in startup and cleanup handlers.
	source string
	params map[string]string // the names of the method's parameters
	used   map[string]bool
}

func (p *printer) newBody(fn *model.Func) *body {
	b := &body{printer: p, fn: fn, locals: p.names.locals(), source: "c", params: map[string]string{}, used: map[string]bool{}}
	wanted := []string{"h", "ctx", "c", "s"}
	if fn != nil && fn.Change != nil {
		wanted = append(wanted, "old", "new")
	}
	for _, name := range wanted {
		b.params[name] = b.locals.name(name)
	}
	return b
}

func (b *body) add(statements ...jen.Code) { b.statements = append(b.statements, statements...) }

func (b *body) local(wanted string) string { return b.locals.name(wanted) }

// the refers to a parameter of the method.
func (b *body) the(param string) *jen.Statement {
	b.used[param] = true
	return jen.Id(b.params[param])
}

// param declares a parameter of the method, without a name if the body does not use it. It must be called once the body is complete.
func (b *body) param(name string, t *jen.Statement) jen.Code {
	if !b.used[name] {
		return jen.Id("_").Add(t)
	}
	return jen.Id(b.params[name]).Add(t)
}

// sides declares old and new; a side that the function does not take is not decoded.
func (b *body) sides(c *model.Change) []jen.Code {
	if c.Old != nil && c.New != nil && types.Identical(c.Old, c.New) && b.used["old"] && b.used["new"] {
		return []jen.Code{jen.Id(b.params["old"]), b.param("new", b.typ(c.New))}
	}
	side := func(name string, t types.Type) jen.Code {
		if t == nil {
			return b.param(name, b.kopf("Raw"))
		}
		return b.param(name, b.typ(t))
	}
	return []jen.Code{side("old", c.Old), side("new", c.New)}
}

// call prints the call of the author's function.
func (b *body) call(fn *model.Func) *jen.Statement {
	args := make([]jen.Code, len(fn.Params))
	for i, param := range fn.Params {
		args[i] = b.argument(param)
	}
	if fn.Receiver != nil {
		return b.the("h").Dot(b.fields.providers[fn.Receiver]).Dot(fn.Name).Call(args...)
	}
	return b.names.of(fn.Package, fn.Name).Call(args...)
}
