package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// part prints a part of the view by value.
func (b *body) part(m *model.Param) *jen.Statement {
	if m.Part.Plain(m.Type) {
		return b.selector(b.the(b.source).Dot("Object").Call(), m.Part.Steps)
	}
	wanted := lowerFirst(m.Name)
	if wanted == "_" || wanted == "" {
		wanted = "part"
	}
	name := b.local(wanted)
	b.add(jen.Var().Id(name).Add(b.typ(m.Type)))
	b.add(b.descend(b.the(b.source).Dot("Object").Call(), m.Part.Steps, name, m))
	return jen.Id(name)
}

// selector prints steps none of which can be absent.
func (b *body) selector(x *jen.Statement, steps []model.Step) *jen.Statement {
	for _, s := range steps {
		x = x.Dot(s.Name)
	}
	return x
}

// descend prints the way to a part that may be absent: an if for each step that may be, and the assignment inside.
func (b *body) descend(x *jen.Statement, steps []model.Step, name string, m *model.Param) jen.Code {
	for i, s := range steps {
		last := i == len(steps)-1
		switch {
		case s.Kind == model.StepKey:
			v, ok := b.local("v"), b.local("ok")
			return jen.If(jen.List(jen.Id(v), jen.Id(ok)).Op(":=").Add(x.Index(jen.Lit(s.Name))), jen.Id(ok).Add(andPresent(s, v, last))).Block(
				b.descend(jen.Id(v), steps[i+1:], name, m))
		case s.Pointer && !last:
			v := b.local("v")
			return jen.If(jen.Id(v).Op(":=").Add(x.Dot(s.Name)), jen.Id(v).Op("!=").Nil()).Block(b.descend(jen.Id(v), steps[i+1:], name, m))
		}
		x = x.Dot(s.Name)
	}
	return b.assign(x, name, m)
}

// andPresent adds the condition that the value of a key is not a nil pointer, if the way goes on through it.
func andPresent(s model.Step, v string, last bool) *jen.Statement {
	if !s.Pointer || last {
		return jen.Null()
	}
	return jen.Op("&&").Id(v).Op("!=").Nil()
}

// assign prints the assignment of what the steps arrive at: the value itself, a pointer to it, or what it points to.
func (b *body) assign(x *jen.Statement, name string, m *model.Param) jen.Code {
	switch {
	case types.Identical(m.Part.Type, m.Type):
		return jen.Id(name).Op("=").Add(x)
	case pointsTo(m.Type, m.Part.Type):
		v := b.local("v")
		return jen.Id(v).Op(":=").Add(x).Line().Id(name).Op("=").Op("&").Id(v)
	case pointsTo(m.Part.Type, m.Type):
		v := b.local("v")
		return jen.If(jen.Id(v).Op(":=").Add(x), jen.Id(v).Op("!=").Nil()).Block(jen.Id(name).Op("=").Op("*").Id(v))
	}
	b.fail("parameter %s is a %s and cannot be made of the %s at %q", m.Name, m.Type, m.Part.Type, m.Part.Path)
	return jen.Null()
}

func pointsTo(t, elem types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && types.Identical(p.Elem(), elem)
}

// edit prints a pointer into the view whose changes are patched back.
func (b *body) edit(m *model.Param) *jen.Statement {
	edit := b.the(b.source).Dot("Edit").Call(lits(m.Part.Path)...)
	steps := m.Part.Steps
	if len(steps) == 0 {
		return edit
	}
	if !steps[len(steps)-1].Pointer {
		return jen.Op("&").Add(b.selector(edit, steps))
	}
	// The member is a pointer itself: the function is promised one that is not nil.
	view := b.local("view")
	member := func() *jen.Statement { return b.selector(jen.Id(view), steps) }
	elem := types.Unalias(m.Part.Type).(*types.Pointer).Elem()
	b.add(
		jen.Id(view).Op(":=").Add(edit),
		jen.If(member().Op("==").Nil()).Block(member().Op("=").Op("&").Add(b.typ(elem)).Values()),
	)
	return member()
}
