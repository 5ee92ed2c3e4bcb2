package emit

import (
	"go/types"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

func TestParts(t *testing.T) {
	p := author(t, `package demo
		type Spec struct {
			Size  int
			Maybe *int
			Inner *Spec
			Named map[string]*Spec
		}`)
	spec := declared(t, p, "Spec")
	number, pointer := types.Typ[types.Int], types.NewPointer(types.Typ[types.Int])
	field := func(name string, pointer bool) model.Step { return model.Step{Name: name, Pointer: pointer} }
	for _, c := range []struct {
		name  string
		param types.Type
		part  model.Part
		want  string
	}{
		{"plain", number, model.Part{Steps: []model.Step{field("Spec", false), field("Size", false)}, Type: number},
			"_ = c.Object().Spec.Size"},
		{"the view itself", spec, model.Part{Type: spec},
			"_ = c.Object()"},
		{"a pointer as it is", pointer, model.Part{Steps: []model.Step{field("Maybe", true)}, Type: pointer},
			"_ = c.Object().Maybe"},
		{"address of a field", pointer, model.Part{Steps: []model.Step{field("Size", false)}, Type: number}, `
var x *int
v := c.Object().Size
x = &v
_ = x`},
		{"what a pointer points to", number, model.Part{Steps: []model.Step{field("Maybe", true)}, Type: pointer}, `
var x int
if v := c.Object().Maybe; v != nil {
	x = *v
}
_ = x`},
		{"behind pointers and keys", number, model.Part{Type: pointer, Steps: []model.Step{
			field("Inner", true), field("Named", false), {Kind: model.StepKey, Name: "a.b", Pointer: true}, field("Maybe", true),
		}}, `
var x int
if v := c.Object().Inner; v != nil {
	if v2, ok := v.Named["a.b"]; ok && v2 != nil {
		if v3 := v2.Maybe; v3 != nil {
			x = *v3
		}
	}
}
_ = x`},
	} {
		pr := newTestPrinter(&model.Operator{Package: p})
		b := pr.newBody(nil)
		x := b.argument(&model.Param{Kind: model.ParamPart, Name: "x", Type: c.param, Part: c.part})
		b.add(jen.Id("_").Op("=").Add(x))
		t.Run(c.name, func(t *testing.T) {
			same(t, source(t, pr, jen.Func().Id("f").Params().Block(b.statements...)), "func f() {\n"+indent(c.want)+"\n}")
		})
	}
}

func TestEdits(t *testing.T) {
	p := author(t, `package demo; type Spec struct{}`)
	spec := declared(t, p, "Spec")
	pointer := types.NewPointer(spec)
	for _, c := range []struct {
		name string
		part model.Part
		want string
	}{
		{"whole", model.Part{Type: spec}, "_ = c.Edit()"},
		{"member", model.Part{Path: []string{"spec"}, Steps: []model.Step{{Name: "Spec"}}, Type: spec}, `_ = &c.Edit("spec").Spec`},
		{"member that is a pointer", model.Part{Path: []string{"spec"}, Steps: []model.Step{{Name: "Spec", Pointer: true}}, Type: pointer}, `
view := c.Edit("spec")
if view.Spec == nil {
	view.Spec = &Spec{}
}
_ = view.Spec`},
	} {
		pr := newTestPrinter(&model.Operator{Package: p})
		b := pr.newBody(nil)
		x := b.argument(&model.Param{Kind: model.ParamEdit, Name: "x", Type: pointer, Part: c.part})
		b.add(jen.Id("_").Op("=").Add(x))
		t.Run(c.name, func(t *testing.T) {
			same(t, source(t, pr, jen.Func().Id("f").Params().Block(b.statements...)), "func f() {\n"+indent(c.want)+"\n}")
		})
	}
}
