package binding

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
)

// parameter binds the i-th parameter by the first rule that applies.
func (c *call) parameter(i int) {
	v := c.sig.Params().At(i)
	p := &model.Param{Name: v.Name(), Type: v.Type(), Pos: c.at(c.paramPos(v))}
	c.out.Params = append(c.out.Params, p)
	c.place[p] = c.paramPos(v)
	if c.broken(v.Type()) {
		return
	}
	if c.isChange(p) {
		c.changeParam(p, v)
		return
	}
	o := c.find(p)
	switch {
	case o == nil && c.tagged(p, v):
	case o == nil:
		c.unfit(p, v, i)
	case !c.may(o):
		c.notOffered(p, v, o)
	case o.kind == model.ParamContext && i > 0 && c.taken["context.Context"] == nil:
		c.fail(c.paramPos(v), codeContext, "make it the first parameter", "the context is not the first parameter of %s", c.name())
	default:
		c.take(p, c.paramPos(v), o)
	}
}

// find returns the first offer that fits by type, or by name and type.
func (c *call) find(p *model.Param) *offer {
	for i := range c.offers {
		o := &c.offers[i]
		if (o.name == "" || o.name == p.Name) && o.fits(p.Type) {
			return o
		}
	}
	return nil
}

// take gives the parameter what is offered, unless another parameter has it.
func (c *call) take(p *model.Param, pos token.Pos, o *offer) {
	key := o.key
	if key == "" {
		key = o.name
	}
	switch {
	case o.kind == model.ParamMemo || o.kind == model.ParamLive:
		key = types.TypeString(p.Type, nil)
	case o.kind == model.ParamIndex:
		key = "index=" + p.Name
	case key == "":
		key = o.spelling
	}
	if other := c.taken[key]; other != nil {
		c.fail(pos, codeTwice, "take it once", "%s already takes this as %s", c.name(), nameOf(other))
		return
	}
	c.taken[key] = p
	p.Kind = o.kind
	if o.bind != nil {
		o.bind(p)
	}
}

func nameOf(p *model.Param) string {
	if p.Name == "" {
		return "an unnamed parameter"
	}
	return p.Name
}

// notOffered reports a parameter that other functions may have.
func (c *call) notOffered(p *model.Param, v *types.Var, o *offer) {
	if readOnly := c.readOnly(); o.edits && readOnly != "" {
		elem, _ := schema.Deref(p.Type)
		hint := "take " + c.spell(elem) + " by value"
		if o.kind == model.ParamPatch {
			hint = "take values instead"
		}
		c.fail(c.paramPos(v), codeReadOnly, hint, "%s is %s, and its changes are not patched back", c.name(), readOnly)
		return
	}
	what := o.spelling
	if o.name != "" {
		what = o.name + " " + o.spelling
	}
	c.refuseOffer(c.paramPos(v), what, o)
}

// refuseOffer reports that the call cannot have something that others can.
func (c *call) refuseOffer(pos token.Pos, what string, o *offer) {
	if c.ofKind(o) {
		c.fail(pos, codeNotOffered, o.instead, "%s is not available to %s", what, c.called())
		return
	}
	c.fail(pos, codeNotOffered, o.onlyFor, "%s is not available to %s", what, c.handlers())
}

// handlers names the handlers of this kind, or their filters, for messages.
func (c *call) handlers() string {
	if c.site.Role == Filter {
		return "filters of " + handlersOf(c.site.On)
	}
	return handlersOf(c.site.On)
}

// readOnly says what kind of function this is, if its changes of the object are not patched back, or is empty.
func (c *call) readOnly() string {
	switch {
	case c.site.Role == Filter:
		return "a filter"
	case c.site.Role == Handler && c.site.On.Has(model.OnIndex):
		return "an index function"
	}
	return ""
}

// called names the functions of this role, for messages.
func (c *call) called() string {
	switch c.site.Role {
	case Startup:
		return "startup handlers"
	case Cleanup:
		return "cleanup handlers"
	case Login:
		return "login handlers"
	case Probe:
		return "probe handlers"
	case Background:
		return "background handlers"
	case Filter:
		return "filters"
	case Switch:
		return "functions that are evaluated once after startup"
	}
	return handlersOf(c.site.On)
}

// handlersOf names the handlers of some kinds, for messages.
func handlersOf(on model.Kind) string {
	switch on {
	case model.OnEvent:
		return "event handlers"
	case model.OnDaemon:
		return "daemons"
	case model.OnTimer:
		return "timers"
	case model.OnIndex:
		return "index functions"
	}
	return "handlers of changes"
}

func (c *call) bindMemo(p *model.Param) {
	elem, _ := schema.Deref(p.Type)
	of := elem.(*types.Named).TypeArgs().At(0)
	c.nameable(p, of)
	for _, m := range c.Memos {
		if types.Identical(m.Type, of) {
			p.Memo = m
			return
		}
	}
	p.Memo = &model.Memo{Type: of}
	c.Memos = append(c.Memos, p.Memo)
}

// bindParam gives the parameter the literal of the marker, converted to its type.
func (c *call) bindParam(p *model.Param) {
	arg := c.site.Param
	if !arg.Set && c.site.Faulty {
		c.ok = false
		return
	}
	if !arg.Set {
		c.fail(c.place[p], codeParam, "add param= to the marker", "the marker has no param= for this parameter")
		return
	}
	basic := types.Unalias(p.Type).(*types.Basic)
	value, ok := fitConstant(arg.Value.Value, basic)
	if !ok {
		c.fail(arg.Pos, codeParam, "write a literal of that type, or change the parameter", "%s does not fit the parameter param %s", arg.Text, basic.Name())
		return
	}
	p.Value = value
}

// missingParam reports a literal that no parameter takes.
func (c *call) missingParam() {
	if c.site.Param.Set && c.taken["param"] == nil && c.ok && c.site.Role&(Handler|Activity) != 0 {
		c.fail(c.site.Param.Name, codeParam, "add a parameter named param, or remove the argument", "%s has no parameter param", c.name())
	}
}

// fitConstant converts a constant to a basic type, exactly.
func fitConstant(v constant.Value, to *types.Basic) (constant.Value, bool) {
	switch {
	case to.Info()&types.IsString != 0:
		return v, v.Kind() == constant.String
	case to.Info()&types.IsBoolean != 0:
		return v, v.Kind() == constant.Bool
	case to.Info()&types.IsInteger != 0:
		if v = constant.ToInt(v); v.Kind() != constant.Int {
			return nil, false
		}
		return v, fitsInteger(v, to)
	case to.Info()&types.IsFloat != 0:
		v = constant.ToFloat(v)
		return v, v.Kind() == constant.Float && fitsFloat(v, to)
	}
	return nil, false
}

// fitsFloat reports whether a number is in the range of the type; digits beyond its precision are rounded, as Go does.
func fitsFloat(v constant.Value, to *types.Basic) bool {
	if to.Kind() == types.Float32 {
		f, _ := constant.Float32Val(v)
		return !math.IsInf(float64(f), 0)
	}
	f, _ := constant.Float64Val(v)
	return !math.IsInf(f, 0)
}

// fitsInteger reports whether an integer is in the range of the type. An int is taken to have 64 bits; where it has fewer, the compiler of
// the operator has the last word.
func fitsInteger(v constant.Value, to *types.Basic) bool {
	bits := map[types.BasicKind]int{
		types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64, types.Int: 64,
		types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64, types.Uint: 64, types.Uintptr: 64,
	}[to.Kind()]
	if to.Info()&types.IsUnsigned != 0 {
		return constant.Sign(v) >= 0 && constant.BitLen(v) <= bits
	}
	if constant.Sign(v) < 0 {
		v = constant.BinaryOp(constant.UnaryOp(token.SUB, v, 0), token.SUB, constant.MakeInt64(1))
	}
	return constant.BitLen(v) < bits
}
