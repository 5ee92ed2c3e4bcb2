package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

const (
	contextPath = "context"
	dynamicPath = "k8s.io/client-go/dynamic"
)

// run prints the bound method of a handler, unless there is one that does the same, and refers to it.
func (p *printer) run(h *model.Handler) jen.Code {
	fn := &h.Func
	if h.Index != nil {
		return p.indexRun(h)
	}
	key := "run " + keyOf(fn)
	name, known := p.bound.methods[key]
	if !known {
		name = p.bound.name(p.methodName("bind", fn))
		p.bound.keep(key, name)
		p.handlerMethod(name, fn)
	}
	method := jen.Id(p.variable).Dot(name)
	return p.binding("Bind", fn, method)
}

// binding prints the call of the runtime's function that takes the bound method, or of its variant for methods that take old and new.
func (p *printer) binding(name string, fn *model.Func, method jen.Code) jen.Code {
	if fn.Change == nil {
		return p.operator(name).Call(method)
	}
	return p.operator(name + "Change").Call(append([]jen.Code{method}, lits(fn.Change.Path)...)...)
}

// handlerMethod prints func (h *handlers) bind…(ctx, c, old, new) (any, error).
func (p *printer) handlerMethod(name string, fn *model.Func) {
	view := p.view(fn)
	b := p.newBody(fn)
	call := b.call(fn)
	switch {
	case fn.IntoStatus && fn.ReturnsError:
		b.add(jen.Return(b.the("c").Dot("IntoStatus").Call(call)))
	case fn.IntoStatus:
		b.add(jen.Return(b.the("c").Dot("IntoStatus").Call(call, jen.Nil())))
	case fn.Result != nil && fn.ReturnsError:
		b.add(jen.Return(call))
	case fn.Result != nil:
		b.add(jen.Return(call, jen.Nil()))
	case fn.ReturnsError:
		b.add(jen.Return(jen.Nil(), call))
	default:
		b.add(call, jen.Return(jen.Nil(), jen.Nil()))
	}
	p.method(name, b.handlerParams(view), jen.Params(jen.Any(), jen.Error()), b)
}

// handlerParams declares the parameters of a bound method of a handler.
func (b *body) handlerParams(view *jen.Statement) []jen.Code {
	return append([]jen.Code{b.param("ctx", b.names.qualified(contextPath, "context", "Context"))}, b.filterParams(view)...)
}

// filterParams declares the parameters of a bound method of a filter.
func (b *body) filterParams(view *jen.Statement) []jen.Code {
	params := []jen.Code{b.param("c", jen.Op("*").Add(b.operator("Call").Types(view)))}
	if b.fn.Change != nil {
		params = append(params, b.sides(b.fn.Change)...)
	}
	return params
}

// when prints the condition of a handler.
func (p *printer) when(fn *model.Func) jen.Code {
	if fn == nil {
		return nil
	}
	return p.binding("When", fn, p.filter("when", fn, jen.Bool()))
}

// filter prints the bound method of a function that is asked about an object, unless there is one, and refers to it.
func (p *printer) filter(verb string, fn *model.Func, result *jen.Statement) jen.Code {
	key := verb + " " + keyOf(fn)
	name, known := p.bound.methods[key]
	if !known {
		name = p.bound.name(p.methodName(verb, fn))
		p.bound.keep(key, name)
		view := p.view(fn)
		b := p.newBody(fn)
		b.add(jen.Return(b.call(fn)))
		p.method(name, b.filterParams(view), result, b)
	}
	return jen.Id(p.variable).Dot(name)
}

// enabled refers to a function, or to a method that calls it with what startup made.
func (p *printer) enabled(fn *model.Func) jen.Code {
	if fn == nil {
		return nil
	}
	if len(fn.Params) == 0 && fn.Receiver == nil {
		return p.names.of(fn.Package, fn.Name)
	}
	key := "enabled " + keyOf(fn)
	name, known := p.bound.methods[key]
	if !known {
		name = p.bound.name(p.methodName("enabled", fn))
		p.bound.keep(key, name)
		b := p.newBody(nil)
		b.add(jen.Return(b.call(fn)))
		p.method(name, nil, jen.Bool(), b)
	}
	return jen.Id(p.variable).Dot(name)
}

// method adds a method to the struct.
func (p *printer) method(name string, params []jen.Code, results *jen.Statement, b *body) {
	m := jen.Func().Params(jen.Id(b.params["h"]).Op("*").Id(p.holder)).Id(name).Params(params...).Add(results).Block(b.statements...)
	p.methods = append(p.methods, m)
}

// methodName is the name of the method that is bound to a function: it says whose it is.
func (p *printer) methodName(verb string, fn *model.Func) string {
	name := upperFirst(fn.Name)
	if fn.ReceiverName != "" {
		name = upperFirst(fn.ReceiverName) + "_" + fn.Name
	}
	if fn.Package != nil && fn.Package.Path() != p.op.Package.Path() {
		name = upperFirst(fn.Package.Name()) + "_" + name
	}
	return verb + name
}
