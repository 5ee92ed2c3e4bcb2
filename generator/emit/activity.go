package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// activities prints the handlers of the operator itself.
func (p *printer) activities() jen.Code {
	if len(p.op.Activities) == 0 {
		return nil
	}
	list := make([]jen.Code, len(p.op.Activities))
	for i, a := range p.op.Activities {
		var l literal
		l.row(entry{"ID", jen.Lit(a.ID)}, entry{"On", p.kinds(a.On)})
		l.row(entry{"Policy", p.policy(a.Policy)}, entry{"PolicyFunc", p.policyFunc(a.Policy, &a.Func)})
		l.row(entry{"Background", p.background(a)})
		l.row(entry{"Run", jen.Id(p.variable).Dot(p.activityMethod(a))})
		list[i] = l.lines(jen.Null())
	}
	return jen.Index().Add(p.operator("Activity")).Values(list...)
}

// activityMethod prints func (h *handlers) bind…(ctx, s) (any, error), which keeps what a startup handler returns for those who take it, and
// passes on what the runtime takes.
func (p *printer) activityMethod(a *model.Activity) string {
	b := p.newBody(nil)
	b.source = "s"
	call := b.call(&a.Func)
	switch {
	case a.Func.Result == nil:
		b.keep(a, call)
	case a.Func.ReturnsError:
		b.add(jen.Return(call))
	default:
		b.add(jen.Return(call, jen.Nil()))
	}
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

// background prints when a background handler runs, or returns nil if it runs all the time.
func (p *printer) background(a *model.Activity) jen.Code {
	m := a.Background
	var l literal
	l.row(entry{"InitialDelay", p.period(m.InitialDelay)}, entry{"Interval", p.period(m.Interval)}, entry{"WhilePaused", yes(m.WhilePaused)},
		entry{"Func", p.backgroundFunc(a)})
	if len(l.rows) == 0 {
		return nil
	}
	return l.line(p.operator("Background"))
}

// period prints a time to wait that is known before the program runs.
func (p *printer) period(m model.Period) jen.Code {
	if m.Value == 0 {
		return nil
	}
	return p.duration(m.Value)
}

// backgroundFunc prints a method for what is known only after startup, and refers to it.
func (p *printer) backgroundFunc(a *model.Activity) jen.Code {
	if !a.Background.Dynamic() {
		return nil
	}
	b := p.newBody(nil)
	var l literal
	for _, one := range []struct {
		name string
		eval *model.Eval
	}{{"InitialDelay", a.Background.InitialDelay.Eval}, {"Interval", a.Background.Interval.Eval}} {
		if one.eval != nil {
			l.row(entry{one.name, b.eval(one.eval)})
		}
	}
	b.add(jen.Return(l.line(p.operator("Background"))))
	name := p.bound.name(p.methodName("background", &a.Func))
	p.method(name, nil, p.operator("Background"), b)
	return jen.Id(p.variable).Dot(name)
}
