package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// activities prints the startup and cleanup handlers.
func (p *printer) activities() jen.Code {
	if len(p.op.Activities) == 0 {
		return nil
	}
	list := make([]jen.Code, len(p.op.Activities))
	for i, a := range p.op.Activities {
		var l literal
		l.row(entry{"ID", jen.Lit(a.ID)}, entry{"On", p.kinds(a.On)})
		l.row(entry{"Policy", p.policy(a.Policy)})
		l.row(entry{"Run", jen.Id(p.variable).Dot(p.activityMethod(a))})
		list[i] = l.lines(jen.Null())
	}
	return jen.Index().Add(p.operator("Activity")).Values(list...)
}

// activityMethod prints func (h *handlers) bind…(ctx, s) (any, error), which keeps what the function returns for those who take it.
func (p *printer) activityMethod(a *model.Activity) string {
	b := p.newBody(nil)
	b.source = "s"
	call := b.call(&a.Func)
	b.keep(a, call)
	name := p.bound.name(p.methodName("bind", &a.Func))
	p.method(name, []jen.Code{
		b.param("ctx", p.names.qualified(contextPath, "context", "Context")),
		b.param("s", jen.Op("*").Add(p.operator("Startup"))),
	}, jen.Params(jen.Any(), jen.Error()), b)
	return name
}

// keep prints the call of an activity and the assignment of its results.
func (b *body) keep(a *model.Activity, call *jen.Statement) {
	var targets []jen.Code
	used := false
	for _, provider := range a.Provides {
		field, ok := b.fields.providers[provider]
		if !ok {
			targets = append(targets, jen.Id("_"))
			continue
		}
		used = true
		targets = append(targets, b.the("h").Dot(field))
	}
	switch {
	case !a.Func.ReturnsError && used:
		b.add(jen.List(targets...).Op("=").Add(call), jen.Return(jen.Nil(), jen.Nil()))
	case !a.Func.ReturnsError:
		b.add(call, jen.Return(jen.Nil(), jen.Nil()))
	case len(targets) == 0:
		b.add(jen.Return(jen.Nil(), call))
	default:
		err := b.local("err")
		declare, assign := jen.Var().Id(err).Error(), "="
		if !used {
			declare, assign = jen.Null(), ":="
		}
		if used {
			b.add(declare)
		}
		b.add(jen.List(append(targets, jen.Id(err))...).Op(assign).Add(call), jen.Return(jen.Nil(), jen.Id(err)))
	}
}
