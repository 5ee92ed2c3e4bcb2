package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// indexRun prints the bound method of an index handler, unless there is one that does the same, and refers to it and to its index.
func (p *printer) indexRun(h *model.Handler) jen.Code {
	fn := &h.Func
	key := "index " + keyOf(fn)
	name, known := p.bound.methods[key]
	if !known {
		name = p.bound.name(p.methodName("bind", fn))
		p.bound.keep(key, name)
		p.indexMethod(name, fn, h.Index)
	}
	return p.operator("BindIndex").Call(jen.Id(p.variable).Dot(p.fields.indexes[h.Index]), jen.Id(p.variable).Dot(name))
}

// rowsMakers are the functions of the runtime that make rows of what an index function returns, by its form.
var rowsMakers = map[model.Rows]string{
	model.RowsPair:   "Row",
	model.RowsPairIf: "RowIf",
	model.RowsMap:    "Rows",
}

// indexMethod prints func (h *handlers) bind…(ctx, c) (map[K][]V, error).
func (p *printer) indexMethod(name string, fn *model.Func, ix *model.Index) {
	view := p.view(fn)
	b := p.newBody(fn)
	call := b.call(fn)
	switch maker := rowsMakers[fn.Rows]; {
	case maker == "" && fn.ReturnsError:
		b.add(jen.Return(call))
	case maker == "":
		b.add(jen.Return(call, jen.Nil()))
	case fn.ReturnsError:
		results := b.rowResults(fn.Rows)
		err := b.local("err")
		b.add(jen.List(append(results, jen.Id(err))...).Op(":=").Add(call))
		b.add(jen.Return(p.operator(maker).Call(results...), jen.Id(err)))
	default:
		b.add(jen.Return(p.operator(maker).Call(call), jen.Nil()))
	}
	rows := jen.Map(p.typ(ix.Key)).Index().Add(p.typ(ix.Value))
	p.method(name, b.handlerParams(view), jen.Params(rows, jen.Error()), b)
}

// rowResults names what an index function returns before its error.
func (b *body) rowResults(form model.Rows) []jen.Code {
	var names []string
	switch form {
	case model.RowsPair:
		names = []string{"key", "value"}
	case model.RowsPairIf:
		names = []string{"key", "value", "ok"}
	default:
		names = []string{"rows"}
	}
	list := make([]jen.Code, len(names))
	for i, name := range names {
		list[i] = jen.Id(b.local(name))
	}
	return list
}
