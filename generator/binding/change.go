package binding

import (
	"go/types"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/markers"
)

// isChange reports whether the parameter is bound as the old or the new state. The names decide before any type does, so that old and new
// of type *T are not taken for two editable copies.
func (c *call) isChange(p *model.Param) bool {
	if p.Name != "old" && p.Name != "new" {
		return false
	}
	return c.site.Role == Handler || c.site.Role == Filter
}

// field is the field whose states old and new are, or nil for the whole object, at which filters look as they do in Kopf.
func (c *call) field() *Field {
	if c.site.Role == Filter {
		return nil
	}
	return c.site.Field
}

// changeParam binds old or new.
func (c *call) changeParam(p *model.Param, v *types.Var) {
	pos := c.paramPos(v)
	if o := (offer{kinds: model.OnChange, onlyFor: "it sees the object as it is: take that, or react to changes with on=field or on=update"}); !c.ofKind(&o) {
		c.refuseOffer(pos, p.Name, &o)
		return
	}
	p.Kind = model.ParamOld
	if p.Name == "new" {
		p.Kind = model.ParamNew
	}
	if c.taken[p.Name] = p; c.out.Change == nil {
		c.out.Change = &model.Change{}
	}
	if p.Kind == model.ParamOld {
		c.out.Change.Old = p.Type
	} else {
		c.out.Change.New = p.Type
	}
	if is(model.KopfPath, "Raw")(p.Type) {
		return
	}
	if c.site.Faulty && c.site.Role == Handler && c.site.Field == nil {
		c.ok = false // field= may only have been misspelled
		return
	}
	c.nameable(p, p.Type)
	if !c.changeType(p.Type) {
		c.fail(pos, codeChangeType, "what would fit: "+strings.Join(c.changeTypes(), ", "), "%s cannot be of type %s", p.Name, c.spell(p.Type))
		return
	}
	c.absence(p)
}

// changeType reports whether a state can be decoded into the type.
func (c *call) changeType(t types.Type) bool {
	for _, want := range c.states() {
		if types.Identical(types.Unalias(t), want) {
			return true
		}
	}
	return false
}

// states lists the types that old and new can have, except kopf.Raw.
func (c *call) states() []types.Type {
	var all []types.Type
	if f := c.field(); f != nil {
		if f.Place.Type == nil {
			return nil
		}
		all = append(all, f.Place.Type, types.NewPointer(f.Place.Type))
		if elem, pointer := schema.Deref(f.Place.Type); pointer {
			all = append(all, elem)
		}
		return all
	}
	if k := c.site.Kind; k != nil && k.Type != nil {
		all = append(all, k.Type, types.NewPointer(k.Type))
		if k.Spec != nil {
			all = append(all, k.Spec, types.NewPointer(k.Spec))
		}
	}
	return all
}

func (c *call) changeTypes() []string {
	var all []string
	for _, t := range c.states() {
		all = append(all, c.spell(t))
	}
	return append(all, "kopf.Raw")
}

// absence demands a type with a nil value for a state that may be absent.
func (c *call) absence(p *model.Param) {
	if nilable(p.Type) {
		return
	}
	why := ""
	switch {
	case p.Kind == model.ParamOld && c.site.On.Has(model.OnCreate|model.OnField):
		why = "an object that was just created has no old state"
	case p.Kind == model.ParamNew && c.field() != nil && c.mayBeAbsent(c.field()):
		why = markers.SpellPath(c.field().Path) + " may be absent"
	default:
		return
	}
	c.fail(c.place[p], codeAbsent, "take *"+strings.TrimPrefix(c.spell(p.Type), "*")+", which is nil then", "%s cannot be of type %s: %s", p.Name, c.spell(p.Type), why)
}

// mayBeAbsent reports whether an object may lack the field. A field that the API server fills in is always there.
func (c *call) mayBeAbsent(f *Field) bool {
	vars := f.Place.Vars
	if len(vars) > 0 && f.Place.Optional && c.Catalog.HasDefault(vars[len(vars)-1]) {
		return false
	}
	if f.Place.Optional {
		return true
	}
	for _, v := range vars {
		if c.Catalog.MarkedOptional(v) {
			return true
		}
	}
	return false
}

func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

// change checks that the two states, once both are bound, show the same part of the object, and notes which.
func (c *call) change() {
	ch := c.out.Change
	if ch == nil || c.field() != nil || c.site.Kind == nil {
		return
	}
	wholes, specs := 0, 0
	for _, t := range []types.Type{ch.Old, ch.New} {
		if t == nil {
			continue
		}
		if elem, _ := schema.Deref(t); c.site.Kind.SpecOf(elem) {
			specs++
		} else {
			wholes++
		}
	}
	if specs > 0 && wholes > 0 && c.ok {
		c.fail(c.place[c.taken["new"]], codeChangeType, "give both the type of the object, or both that of its spec", "old and new show different parts of the object")
	}
	if specs > 0 {
		ch.Path = []string{"spec"}
	}
}
