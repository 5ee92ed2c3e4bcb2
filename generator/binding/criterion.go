package binding

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/markers"
)

// Criterion checks a condition on the handler's field. It returns nil if there is none, or if it was reported as wrong.
func (b *Binder) Criterion(arg markers.Arg[markers.Criterion], field *Field, from Scope) *model.Criterion {
	if !arg.Set || field == nil {
		return nil
	}
	switch arg.Value.Test {
	case markers.Present:
		return &model.Criterion{Test: model.Present}
	case markers.Absent:
		return &model.Criterion{Test: model.Absent}
	case markers.Equal:
		return b.equal(arg, field, from)
	case markers.Where:
		return b.where(arg, field, from)
	}
	return nil
}

// equal checks a literal against the field's type.
func (b *Binder) equal(arg markers.Arg[markers.Criterion], field *Field, from Scope) *model.Criterion {
	lit := arg.Value.Literal.Value
	c := &model.Criterion{Test: model.Equal, Literal: lit, Type: defaultType(lit)}
	shown := markers.SpellPath(field.Path)
	if field.Place.Type == nil {
		return c
	}
	t, _ := schema.Deref(field.Place.Type)
	if field.Place.String {
		if lit.Kind() != constant.String {
			b.errorf(arg.Pos, codeLiteral, "put it into quotes", "%s is a string in JSON", shown)
			return nil
		}
		return c
	}
	if _, open := t.Underlying().(*types.Interface); open || schema.DecodesItself(t) {
		return c // its JSON may be anything
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		value, ok := fitConstant(lit, u)
		if !ok {
			hint := ""
			switch {
			case u.Info()&types.IsString != 0:
				hint = "put it into quotes"
			case u.Info()&types.IsBoolean != 0:
				hint = "write true or false"
			case u.Info()&types.IsNumeric != 0:
				hint = "write a number that fits " + u.Name()
			}
			b.errorf(arg.Pos, codeLiteral, hint, "%s does not fit %s, which is of type %s", arg.Text, shown, spell(t, from))
			return nil
		}
		c.Literal = value
		if u.Info()&types.IsFloat != 0 {
			c.Type = types.Typ[types.Float64]
		}
		return c
	case *types.Slice:
		if e, ok := u.Elem().Underlying().(*types.Basic); ok && e.Kind() == types.Byte && lit.Kind() == constant.String {
			return c // bytes are a string in JSON
		}
	}
	b.errorf(arg.Pos, codeLiteral, "use *, ! or a function", "%s is of type %s, which cannot be compared with a literal", shown, spell(t, from))
	return nil
}

// defaultType is the Go type of a literal in generated code.
func defaultType(v constant.Value) types.Type {
	switch v.Kind() {
	case constant.Bool:
		return types.Typ[types.Bool]
	case constant.Int:
		return types.Typ[types.Int64]
	case constant.Float:
		return types.Typ[types.Float64]
	}
	return types.Typ[types.String]
}

// where checks a function against the field's type.
func (b *Binder) where(arg markers.Arg[markers.Criterion], field *Field, from Scope) *model.Criterion {
	id := arg.Value.Func
	fn, ok := b.FunctionOf(id, from, "a condition", "put text into quotes")
	if !ok {
		return nil
	}
	sig := fn.Object.Signature()
	expected := "kopf.Raw"
	if field.Place.Type != nil {
		expected = spell(field.Place.Type, from)
	}
	for i := range sig.Params().Len() {
		if invalid(sig.Params().At(i).Type(), 0) {
			return nil
		}
	}
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 || sig.Variadic() || sig.Params().Len() != 2 || sig.Results().Len() != 1 ||
		!isBool(sig.Params().At(1).Type()) || !isBool(sig.Results().At(0).Type()) {
		b.errorf(id.Pos, codeCriterion, "write func("+strings.ToLower(last(field.Path))+" "+expected+", present bool) bool", "%s cannot judge %s: it is %s",
			id, markers.SpellPath(field.Path), spell(sig, from))
		return nil
	}
	f := types.Unalias(sig.Params().At(0).Type())
	fits := is(model.KopfPath, "Raw")(f)
	if field.Place.Type != nil {
		fits = fitsField(f, field.Place.Type)
	}
	if !fits {
		b.errorf(id.Pos, codeCriterion, "take "+expected, "%s takes %s, but %s is of type %s", id, spell(f, from), markers.SpellPath(field.Path), expected)
		return nil
	}
	if found := hidden(f, b.Operator, 0); found != nil {
		b.unnameable(id.Pos, found)
		return nil
	}
	return &model.Criterion{Test: model.Where, Type: f, Func: model.Ref{Package: fn.Object.Pkg(), Name: fn.Object.Name()}}
}

func isBool(t types.Type) bool { return types.Identical(t, types.Typ[types.Bool]) }

func last(path []string) string { return path[len(path)-1] }
