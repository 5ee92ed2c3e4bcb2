package binding

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
)

// shape reports functions that generated code cannot call.
func (c *call) shape() bool {
	pos, name := c.pos(), c.name()
	switch {
	case c.sig.TypeParams().Len() > 0:
		c.fail(pos, codeShape, "write one function for each type", "%s is generic", name)
	case c.sig.RecvTypeParams().Len() > 0:
		c.fail(pos, codeShape, "write the method for a type without parameters", "%s is a method of a generic type", name)
	case c.sig.Variadic():
		c.fail(pos, codeShape, "take what you need by name or type", "%s is variadic", name)
	case c.sig.Recv() == nil && (name == "init" || name == "_" || name == "main" && c.fn.Object.Pkg().Name() == "main"):
		c.fail(pos, codeShape, "give the function a name of its own", "func %s cannot be called", name)
	case c.fn.Object.Pkg() != c.Operator && !c.fn.Object.Exported():
		c.fail(pos, codeUnnameable, "export it, or move it into the operator's package",
			"%s is not exported, and the operator is another package", name)
	}
	return c.ok
}

// receiver finds the startup result that a method is called on.
func (c *call) receiver() {
	recv := c.sig.Recv()
	if recv == nil {
		return
	}
	base, _ := schema.Deref(recv.Type())
	if named, ok := base.(*types.Named); ok {
		c.out.ReceiverName = named.Obj().Name()
	}
	if c.broken(recv.Type()) {
		return
	}
	for _, same := range []func(types.Type) bool{
		func(t types.Type) bool { return types.Identical(t, recv.Type()) },
		func(t types.Type) bool { elem, _ := schema.Deref(t); return types.Identical(elem, base) },
	} {
		for _, p := range c.Providers {
			if same(p.Type) {
				c.out.Receiver = p
				p.Used = true
				return
			}
		}
	}
	pos := c.pos()
	if c.fn.Decl != nil && c.fn.Decl.Recv != nil && len(c.fn.Decl.Recv.List) > 0 {
		pos = c.fn.Decl.Recv.List[0].Type.Pos()
	}
	hint := "let a startup handler return " + c.spell(recv.Type())
	if c.ofObject(recv.Type()) {
		hint = "make it a function that takes the " + c.spell(base) + " as a parameter"
	}
	c.fail(pos, codeReceiver, hint, "no startup handler returns the receiver %s", c.spell(recv.Type()))
}

// broken reports whether a type contains something that does not compile, which has been reported already.
func (c *call) broken(t types.Type) bool {
	if !invalid(t, 0) {
		return false
	}
	c.ok = false
	return true
}

func invalid(t types.Type, depth int) bool {
	if depth > 5 {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Pointer:
		return invalid(t.Elem(), depth+1)
	case *types.Slice:
		return invalid(t.Elem(), depth+1)
	case *types.Map:
		return invalid(t.Key(), depth+1) || invalid(t.Elem(), depth+1)
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if invalid(arg, depth+1) {
				return true
			}
		}
		return invalid(t.Underlying(), 5)
	}
	return false
}

// nameable reports a type that generated code has to write down but cannot.
func (c *call) nameable(p *model.Param, t types.Type) {
	if b := hidden(t, c.Operator, 0); b != nil {
		c.ok = false
		c.unnameable(c.place[p], b)
	}
}

// unnameable reports a name that generated code needs but cannot use.
func (b *Binder) unnameable(pos token.Pos, obj types.Object) {
	name := obj.Pkg().Name() + "." + obj.Name()
	if obj.Exported() {
		b.errorf(pos, codeUnnameable, "move it to a package that the operator may import",
			"%s is declared in %s, which is internal: the operator's package may not import it", name, obj.Pkg().Path())
		return
	}
	b.errorf(pos, codeUnnameable, "export it, or move it into the operator's package", "%s is not exported, and the operator is another package", name)
}

// hidden finds a name in the spelling of a type that the package from cannot use. An alias that it can use hides what it stands for.
func hidden(t types.Type, from *types.Package, depth int) *types.TypeName {
	if depth > 10 {
		return nil
	}
	more := func(all ...types.Type) *types.TypeName {
		for _, t := range all {
			if found := hidden(t, from, depth+1); found != nil {
				return found
			}
		}
		return nil
	}
	if alias, ok := t.(*types.Alias); ok && model.CanName(alias.Obj(), from) {
		return more(slices.Collect(alias.TypeArgs().Types())...)
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if !model.CanName(t.Obj(), from) {
			return t.Obj()
		}
		for arg := range t.TypeArgs().Types() {
			if found := more(arg); found != nil {
				return found
			}
		}
	case *types.Pointer:
		return more(t.Elem())
	case *types.Slice:
		return more(t.Elem())
	case *types.Array:
		return more(t.Elem())
	case *types.Chan:
		return more(t.Elem())
	case *types.Map:
		return more(t.Key(), t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if found := more(f.Type()); found != nil {
				return found
			}
		}
	}
	return nil
}
