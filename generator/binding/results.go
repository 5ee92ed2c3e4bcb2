package binding

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
)

var (
	errorType = types.Universe.Lookup("error").Type()
	errorIs   = errorType.Underlying().(*types.Interface)
)

// resultPos is where the i-th result stands.
func (c *call) resultPos(i int) token.Pos {
	if c.fn.Decl != nil {
		return c.typePos(c.fn.Decl.Type.Results, i, c.sig.Results().At(i))
	}
	return c.site.Marker
}

// results checks what the function returns, and decides what becomes of it.
func (c *call) results() {
	res := c.sig.Results()
	for i := range res.Len() {
		if c.broken(res.At(i).Type()) {
			return
		}
	}
	switch c.site.Role {
	case Filter, Switch:
		c.only(c.site.Result)
	case Cleanup, Background:
		if values, ok := c.withoutError(); ok && len(values) > 0 {
			c.fail(c.resultPos(0), codeResults, "return nothing or an error", "nothing takes what %s returns", c.name())
		}
	case Startup:
		c.withoutError()
	case Login:
		c.loginResult()
	case Probe:
		c.probeResult()
	case Handler:
		if c.site.On.Has(model.OnIndex) {
			c.indexRows()
			return
		}
		c.handlerResult()
	}
}

// only demands exactly one result.
func (c *call) only(want Want) {
	res := c.sig.Results()
	if res.Len() == 1 && want.Fits(res.At(0).Type()) {
		c.out.Result = res.At(0).Type()
		return
	}
	pos := c.pos()
	if res.Len() > 0 {
		pos = c.resultPos(0)
	}
	c.fail(pos, codeResults, "", "%s must return a %s and nothing else", c.name(), want.Spelling)
}

// withoutError returns the results without the error at the end. It is false if there is an error elsewhere, which it reports.
func (c *call) withoutError() ([]types.Type, bool) {
	res := c.sig.Results()
	var values []types.Type
	for i := range res.Len() {
		t := res.At(i).Type()
		switch {
		case types.Identical(t, errorType) && i == res.Len()-1:
			c.out.ReturnsError = true
		case types.Identical(t, errorType):
			c.fail(c.resultPos(i), codeResults, "make it the last result", "the error is not the last result of %s", c.name())
			return nil, false
		case i == res.Len()-1 && types.Implements(t, errorIs):
			c.fail(c.resultPos(i), codeResults, "return error", "%s implements error, but is not of type error", c.spell(t))
			return nil, false
		default:
			values = append(values, t)
		}
	}
	return values, true
}

func (c *call) handlerResult() {
	values, ok := c.withoutError()
	if !ok || len(values) == 0 {
		return
	}
	if c.encoded(values) {
		elem, _ := schema.Deref(c.out.Result)
		c.out.IntoStatus = c.site.Kind != nil && c.site.Kind.StatusOf(elem)
	}
}

// encoded takes the one result of a function if it can be written as JSON.
func (c *call) encoded(values []types.Type) bool {
	if len(values) > 1 {
		c.fail(c.resultPos(1), codeResults, "return a struct of both", "%s returns more than one result", c.name())
		return false
	}
	elem, _ := schema.Deref(values[0])
	if !encodes(elem, nil) {
		c.fail(c.resultPos(0), codeResults, "return something that can be written as JSON", "%s does not encode to JSON", c.spell(values[0]))
		return false
	}
	c.out.Result = values[0]
	return true
}

// loginResult demands a configuration.
func (c *call) loginResult() {
	values, ok := c.withoutError()
	switch {
	case !ok:
	case len(values) == 1 && pointerTo("k8s.io/client-go/rest", "Config")(values[0]):
		c.out.Result = values[0]
	default:
		pos := c.pos()
		if c.sig.Results().Len() > 0 {
			pos = c.resultPos(0)
		}
		c.fail(pos, codeResults, "return (*rest.Config, error)", "the login handler %s does not return a *rest.Config", c.name())
	}
}

// probeResult demands something that can be shown.
func (c *call) probeResult() {
	values, ok := c.withoutError()
	switch {
	case !ok:
	case len(values) == 0:
		c.fail(c.pos(), codeResults, "return what the answer of the probe is to show, such as a time", "the probe handler %s returns no result", c.name())
	default:
		c.encoded(values)
	}
}

// encodes reports whether encoding/json can encode every value of a type, as far as the type tells; within holds the types around it.
func encodes(t types.Type, within []types.Type) bool {
	t = types.Unalias(t)
	if slices.ContainsFunc(within, func(w types.Type) bool { return types.Identical(w, t) }) {
		return true
	}
	within = append(slices.Clip(within), t)
	for _, method := range []string{"MarshalJSON", "MarshalText"} {
		if m, _, _ := types.LookupFieldOrMethod(t, true, nil, method); m != nil {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsComplex == 0 && u.Kind() != types.UnsafePointer
	case *types.Chan, *types.Signature:
		return false
	case *types.Map:
		key, ok := u.Key().Underlying().(*types.Basic)
		text, _, _ := types.LookupFieldOrMethod(u.Key(), true, nil, "MarshalText")
		return (text != nil || ok && key.Info()&(types.IsString|types.IsInteger) != 0) && encodes(u.Elem(), within)
	case *types.Struct:
		for _, f := range schema.Fields(t) {
			if !encodes(f.Type(), within) {
				return false
			}
		}
	case interface{ Elem() types.Type }:
		return encodes(u.Elem(), within)
	}
	return true
}

// Provides lists the providers among the results of a startup handler, without the error, and reports results that cannot be providers.
func (b *Binder) Provides(fn Function, activity *model.Activity, refused func(types.Type) string) []*model.Provider {
	c := &call{Binder: b, fn: fn, site: Site{Role: Startup}, sig: fn.Object.Signature()}
	var all []*model.Provider
	res := c.sig.Results()
	for i := range res.Len() {
		t := types.Unalias(res.At(i).Type())
		if types.Identical(t, errorType) || invalid(t, 0) {
			continue
		}
		if why := c.refuse(t, refused); why != "" {
			b.errorf(c.resultPos(i), codeProvider, "define a type of your own for it", "%s cannot be the result of a startup handler: %s", c.spell(t), why)
			continue
		}
		if found := hidden(res.At(i).Type(), b.Operator, 0); found != nil {
			b.unnameable(c.resultPos(i), found)
			continue
		}
		twin := false
		for _, p := range b.Providers {
			if types.Identical(p.Type, t) {
				b.errorf(c.resultPos(i), codeProviderTwin, "define another type for one of them", "%s is already returned by %s", c.spell(t), p.From.Func.Name)
				twin = true
			}
		}
		if twin {
			continue
		}
		p := &model.Provider{Type: res.At(i).Type(), From: activity, Result: i}
		b.Providers = append(b.Providers, p)
		all = append(all, p)
	}
	return all
}

// refuse says why a type cannot be a provider, or "".
func (c *call) refuse(t types.Type, more func(types.Type) string) string {
	for _, o := range c.byType() {
		if o.fits(t) {
			return "parameters of this type are given something else"
		}
	}
	elem, _ := schema.Deref(t)
	named, ok := elem.(*types.Named)
	if pointer, is := t.(*types.Pointer); is {
		_, twice := types.Unalias(pointer.Elem()).(*types.Pointer)
		ok = ok && !twice
	}
	switch {
	case !ok:
		return "it has no name of its own"
	case named.Obj().Pkg() == nil:
		return "it is a predeclared type"
	case named.Obj().Pkg().Path() == model.KopfPath || named.Obj().Pkg().Path() == model.OperatorPath:
		return "it belongs to the runtime"
	case schema.Unstructured(elem) || schema.ObjectMeta(elem):
		return "parameters of this type are parts of an object"
	case is("time", "Time")(elem) || is("time", "Duration")(elem) || is("k8s.io/apimachinery/pkg/types", "UID")(elem):
		return "parameters of this type are bound by name"
	}
	return more(elem)
}
