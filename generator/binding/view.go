package binding

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/markers"
)

// part is one part of the object that a parameter takes.
type part struct {
	path           []string
	want, declared types.Type // of the parameter, and of the field
	edit           bool
	param          *model.Param
}

// spelled returns the type t as the parameter spells it, if that is a usable alias of something that generated code cannot name itself.
func (c *call) spelled(p *model.Param, t types.Type) types.Type {
	own := p.Type
	if pointer, ok := types.Unalias(own).(*types.Pointer); ok && p.Kind == model.ParamEdit {
		own = pointer.Elem()
	}
	if hidden(t, c.Operator, 0) != nil && types.Identical(own, t) && hidden(own, c.Operator, 0) == nil {
		return own
	}
	return t
}

func (p *part) shown() string {
	if len(p.path) == 0 {
		return "the object"
	}
	return markers.SpellPath(p.path)
}

// bindPart notes that a parameter takes a part of the object.
func (c *call) bindPart(path []string, t types.Type) func(*model.Param) {
	return func(p *model.Param) {
		t := c.spelled(p, t)
		c.nameable(p, t)
		declared := t
		if len(path) > 0 && c.site.Kind.Type != nil {
			if f, ok := schema.Member(c.site.Kind.Type, path[0]); ok {
				declared = types.Unalias(f.Type())
			}
		}
		c.parts = append(c.parts, &part{path: path, want: t, declared: declared, edit: p.Kind == model.ParamEdit, param: p})
	}
}

// view decides what the object is decoded into, and where in it the parts are.
func (c *call) view() {
	if !c.disjoint() {
		return
	}
	roots := c.roots()
	switch {
	case len(roots) == 0:
		return
	case len(roots[0].path) == 0:
		c.out.View = model.View{Kind: model.ViewWhole, Type: roots[0].want}
	case len(roots) == 1 && isMember(roots[0], "spec") && types.Identical(roots[0].want, deref(roots[0].declared)):
		c.out.View = model.View{Kind: model.ViewSpec, Type: roots[0].want}
	case len(roots) == 1 && isMember(roots[0], "status") && types.Identical(roots[0].want, deref(roots[0].declared)):
		c.out.View = model.View{Kind: model.ViewStatus, Type: roots[0].want}
	default:
		c.out.View = model.View{Kind: model.ViewStruct}
		for _, root := range roots {
			c.out.View.Fields = insert(c.out.View.Fields, root.path, root.want)
		}
	}
	for _, p := range c.parts {
		c.locate(p, roots)
	}
}

// isMember reports whether a part is the member of the object with that name.
func isMember(p *part, name string) bool { return len(p.path) == 1 && p.path[0] == name }

func deref(t types.Type) types.Type {
	t, _ = schema.Deref(t)
	return t
}

// disjoint reports whether no part that is for editing overlaps another, after adding a diagnostic for each that does. Values may overlap.
func (c *call) disjoint() bool {
	disjoint := true
	for i, a := range c.parts {
		for _, b := range c.parts[:i] {
			if !within(a.path, b.path) && !within(b.path, a.path) || !a.edit && !b.edit {
				continue
			}
			disjoint = false
			outer, inner := b, a
			if len(a.path) < len(b.path) {
				outer, inner = a, b
			}
			edited := outer
			if !outer.edit {
				edited = inner
			}
			hint := "take " + nameOf(edited.param) + " alone"
			if len(outer.path) < len(inner.path) && outer.edit {
				hint = fmt.Sprintf("take it from %s", nameOf(outer.param))
			}
			c.fail(c.place[a.param], codeTwoViews, hint, "%s and %s both show %s, and changes to %s are patched back",
				nameOf(b.param), nameOf(a.param), inner.shown(), nameOf(edited.param))
		}
	}
	return disjoint
}

func within(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// roots returns the parts that are in no other, in the order of the parameters, but the whole object first.
func (c *call) roots() []*part {
	var roots []*part
	for _, p := range c.parts {
		inner := slices.ContainsFunc(c.parts, func(o *part) bool { return len(o.path) < len(p.path) && within(p.path, o.path) })
		if !inner {
			roots = append(roots, p)
		}
	}
	return roots
}

// locate notes where in the view a part is.
func (c *call) locate(p *part, roots []*part) {
	i := slices.IndexFunc(roots, func(r *part) bool { return within(p.path, r.path) })
	root := roots[i]
	steps := c.stepsTo(root)
	at := model.Part{Path: p.path, Steps: steps, Type: root.want}
	if root != p {
		outer := root.want
		if !types.Identical(deref(outer), deref(root.declared)) {
			c.fail(c.place[p.param], codeTwoViews, "take one of them", "%s is a part of %s, which is taken as %s", p.shown(), root.shown(), c.spell(outer))
			return
		}
		place, err := schema.Resolve(outer, p.path[len(root.path):])
		if err != nil {
			return // cannot happen: it was resolved before, from the kind
		}
		at.Steps = append(slices.Clone(steps), place.Steps...)
		at.Type = place.Type
		if is(model.KopfPath, "Raw")(p.want) && !is(model.KopfPath, "Raw")(place.Type) {
			c.fail(c.place[p.param], codeTwoViews, "take one of them", "%s is a part of %s, which is taken as %s", p.shown(), root.shown(), c.spell(outer))
			return
		}
	}
	p.param.Part = at
}

// stepsTo leads from the view to one of its roots.
func (c *call) stepsTo(root *part) []model.Step {
	switch c.out.View.Kind {
	case model.ViewWhole:
		return nil
	case model.ViewSpec:
		return []model.Step{{Name: "Spec"}}
	case model.ViewStatus:
		return []model.Step{{Name: "Status"}}
	}
	var steps []model.Step
	fields := c.out.View.Fields
	for _, name := range root.path {
		i := slices.IndexFunc(fields, func(f *model.ViewField) bool { return f.JSON == name })
		steps = append(steps, model.Step{Name: fields[i].Name})
		fields = fields[i].Fields
	}
	_, pointer := schema.Deref(root.want)
	steps[len(steps)-1].Pointer = pointer
	return steps
}

// insert adds a part to the fields of a view.
func insert(fields []*model.ViewField, path []string, t types.Type) []*model.ViewField {
	i := slices.IndexFunc(fields, func(f *model.ViewField) bool { return f.JSON == path[0] })
	if i < 0 {
		i = len(fields)
		fields = append(fields, &model.ViewField{Name: goName(path[0], fields), JSON: path[0]})
	}
	if len(path) == 1 {
		fields[i].Type = t
	} else {
		fields[i].Fields = insert(fields[i].Fields, path[1:], t)
	}
	return fields
}

// goName makes an exported identifier of a JSON name that none of the fields has.
func goName(json string, fields []*model.ViewField) string {
	var b strings.Builder
	for _, r := range json {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	name := b.String()
	if first := name[0]; 'a' <= first && first <= 'z' {
		name = strings.ToUpper(name[:1]) + name[1:]
	} else if !token.IsExported(name) {
		name = "X" + name
	}
	base := name
	for n := 2; slices.ContainsFunc(fields, func(f *model.ViewField) bool { return f.Name == name }); n++ {
		name = fmt.Sprintf("%s%d", base, n)
	}
	return name
}
