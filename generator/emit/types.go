package emit

import (
	"go/types"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// typ prints a type as the author wrote it, aliases included, if the operator's package can name them.
func (p *printer) typ(t types.Type) *jen.Statement {
	switch t := t.(type) {
	case *types.Alias:
		if p.sayable(t.Obj()) {
			return p.instance(t.Obj(), t.TypeArgs())
		}
		return p.typ(types.Unalias(t))
	case *types.Named:
		if !p.sayable(t.Obj()) {
			p.fail("package %s cannot name the type %s", p.op.Package.Path(), t)
		}
		return p.instance(t.Obj(), t.TypeArgs())
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return p.names.qualified("unsafe", "unsafe", "Pointer")
		}
		return jen.Id(t.Name())
	case *types.Pointer:
		return jen.Op("*").Add(p.typ(t.Elem()))
	case *types.Slice:
		return jen.Index().Add(p.typ(t.Elem()))
	case *types.Array:
		return jen.Index(jen.Lit(int(t.Len()))).Add(p.typ(t.Elem()))
	case *types.Map:
		return jen.Map(p.typ(t.Key())).Add(p.typ(t.Elem()))
	case *types.Chan:
		return p.channel(t)
	case *types.Struct:
		return p.structure(t)
	case *types.Interface:
		return p.iface(t)
	case *types.Signature:
		return jen.Func().Add(p.signature(t))
	}
	p.fail("type %s cannot be printed", t)
	return jen.Id("any")
}

// sayable reports whether the operator's package can name something.
func (p *printer) sayable(obj *types.TypeName) bool {
	return model.CanName(obj, p.op.Package)
}

func (p *printer) instance(obj *types.TypeName, args *types.TypeList) *jen.Statement {
	name := p.names.of(obj.Pkg(), obj.Name())
	if args.Len() == 0 {
		return name
	}
	list := make([]jen.Code, 0, args.Len())
	for arg := range args.Types() {
		list = append(list, p.typ(arg))
	}
	return name.Types(list...)
}

func (p *printer) channel(t *types.Chan) *jen.Statement {
	switch t.Dir() {
	case types.SendOnly:
		return jen.Chan().Op("<-").Add(p.typ(t.Elem()))
	case types.RecvOnly:
		return jen.Op("<-").Chan().Add(p.typ(t.Elem()))
	}
	return jen.Chan().Add(p.typ(t.Elem()))
}

// structure prints an unnamed struct with its tags, which are part of the type.
func (p *printer) structure(t *types.Struct) *jen.Statement {
	fields := make([]jen.Code, 0, t.NumFields())
	for i := range t.NumFields() {
		f := t.Field(i)
		field := jen.Null()
		if !f.Embedded() {
			field.Id(f.Name())
		}
		field.Add(p.typ(f.Type()))
		if tag := t.Tag(i); strconv.CanBackquote(tag) && tag != "" {
			field.Op("`" + tag + "`")
		} else if tag != "" {
			field.Add(jen.Lit(tag))
		}
		fields = append(fields, field)
	}
	return jen.Struct(fields...)
}

func (p *printer) iface(t *types.Interface) *jen.Statement {
	if t.Empty() {
		return jen.Id("any")
	}
	var elems []jen.Code
	for m := range t.ExplicitMethods() {
		elems = append(elems, jen.Id(m.Name()).Add(p.signature(m.Signature())))
	}
	for e := range t.EmbeddedTypes() {
		elems = append(elems, p.typ(e))
	}
	return jen.Interface(elems...)
}

func (p *printer) signature(t *types.Signature) *jen.Statement {
	params := p.tuple(t.Params())
	if t.Variadic() {
		last := t.Params().At(t.Params().Len() - 1).Type().(*types.Slice)
		params[len(params)-1] = jen.Op("...").Add(p.typ(last.Elem()))
	}
	return jen.Params(params...).Params(p.tuple(t.Results())...)
}

func (p *printer) tuple(t *types.Tuple) []jen.Code {
	list := make([]jen.Code, 0, t.Len())
	for v := range t.Variables() {
		list = append(list, p.typ(v.Type()))
	}
	return list
}
