package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// view prints the type that the object is decoded into for a function, and declares that type if it is not a common one.
func (p *printer) view(fn *model.Func) *jen.Statement {
	v := fn.View
	switch v.Kind {
	case model.ViewNone:
		return p.operator("None")
	case model.ViewWhole:
		return p.typ(v.Type)
	case model.ViewSpec:
		return p.operator("Spec").Types(p.typ(v.Type))
	case model.ViewStatus:
		return p.operator("Status").Types(p.typ(v.Type))
	}
	name := p.names.global(lowerFirst(fn.Name) + "View")
	p.views = append(p.views, jen.Commentf("%s is what %s reads of its object.", name, fn.Name).Line().
		Type().Id(name).Struct(p.viewFields(v.Fields)...))
	return jen.Id(name)
}

func (p *printer) viewFields(fields []*model.ViewField) []jen.Code {
	list := make([]jen.Code, len(fields))
	for i, f := range fields {
		field := jen.Id(f.Name)
		if f.Type != nil {
			field.Add(p.typ(f.Type))
		} else {
			field.Struct(p.viewFields(f.Fields)...)
		}
		list[i] = field.Op("`json:" + strconv.Quote(f.JSON) + "`")
	}
	return list
}
