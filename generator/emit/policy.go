package emit

import (
	"go/types"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// policy prints what is known of a policy before the program runs, or returns nil if that is nothing.
func (p *printer) policy(m model.Policy) jen.Code {
	l := p.staticPolicy(m)
	if len(l.rows) == 0 {
		return nil
	}
	return l.line(p.kopf("Policy"))
}

func (p *printer) staticPolicy(m model.Policy) *literal {
	l := &literal{}
	l.row(entry{"Retries", p.number(m.Retries)}, entry{"Timeout", p.limit(m.Timeout)}, entry{"Backoff", p.backoff(m.Backoff)},
		entry{"Errors", p.errors(m.Errors)})
	return l
}

func (p *printer) number(n model.Number) jen.Code {
	switch {
	case n.None:
		return p.kopf("Unlimited")
	case n.Value > 0:
		return jen.Lit(n.Value)
	}
	return nil
}

func (p *printer) limit(d model.Duration) jen.Code {
	switch {
	case d.None:
		return p.kopf("Unlimited")
	case d.Value > 0:
		return p.duration(d.Value)
	}
	return nil
}

func (p *printer) backoff(b model.Backoff) jen.Code {
	var l literal
	switch {
	case b.AtOnce:
		l.row(entry{"From", p.kopf("AtOnce")})
	case b.To > 0:
		l.row(entry{"From", p.duration(b.From)}, entry{"To", p.duration(b.To)})
	case b.From > 0:
		l.row(entry{"From", p.duration(b.From)})
	default:
		return nil
	}
	return l.line(p.kopf("Backoff"))
}

func (p *printer) errors(mode string) jen.Code {
	if mode == "" {
		return nil
	}
	return p.kopf("Errors" + upperFirst(mode))
}

// duration prints a duration in its largest unit.
func (p *printer) duration(d time.Duration) jen.Code {
	units := []struct {
		size time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}}
	for _, u := range units {
		if d%u.size == 0 {
			name := p.names.qualified("time", "time", u.name)
			if d == u.size {
				return name
			}
			return jen.Lit(int(d / u.size)).Op("*").Add(name)
		}
	}
	return jen.Lit(int(d))
}

// policyFunc prints a method for what is known only after startup, and refers to it.
func (p *printer) policyFunc(m model.Policy, of *model.Func) jen.Code {
	if !m.Dynamic() {
		return nil
	}
	b := p.newBody(nil)
	var l literal
	if e := m.Retries.Eval; e != nil {
		l.row(entry{"Retries", p.converted(b.eval(e), e.Type, types.Typ[types.Int])})
	}
	if e := m.Timeout.Eval; e != nil {
		l.row(entry{"Timeout", b.eval(e)})
	}
	if e := m.Backoff.Eval; e != nil {
		backoff := b.local("backoff")
		b.add(jen.Id(backoff).Op(":=").Add(b.eval(e)))
		b.add(jen.If(jen.Id(backoff).Op("<=").Lit(0)).Block(jen.Id(backoff).Op("=").Add(p.kopf("AtOnce"))))
		var inner literal
		inner.row(entry{"From", jen.Id(backoff)})
		l.row(entry{"Backoff", inner.line(p.kopf("Backoff"))})
	}
	b.add(jen.Return(l.line(p.kopf("Policy"))))
	name := p.bound.name(p.methodName("policy", of))
	p.method(name, nil, p.kopf("Policy"), b)
	return jen.Id(p.variable).Dot(name)
}

// eval prints an expression that is evaluated after startup.
func (b *body) eval(e *model.Eval) *jen.Statement {
	if e.Var != nil {
		return b.names.of(e.Var.Package, e.Var.Name)
	}
	return b.call(e.Func)
}

// converted converts an expression, unless it has the type already.
func (p *printer) converted(x *jen.Statement, from, to types.Type) *jen.Statement {
	if types.Identical(from, to) {
		return x
	}
	return p.typ(to).Call(x)
}
