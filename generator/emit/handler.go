package emit

import (
	"go/constant"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// handler prints one line of the table.
func (p *printer) handler(h *model.Handler) jen.Code {
	var l literal
	l.row(entry{"ID", jen.Lit(h.ID)}, entry{"On", p.kinds(h.On)})
	l.row(entry{"Policy", p.policy(h.Policy)}, entry{"PolicyFunc", p.policyFunc(h.Policy, &h.Func)})
	l.row(entry{"Field", fieldPath(h.Field)}, entry{"Value", p.criterion(h.Value)}, entry{"Old", p.criterion(h.Old)}, entry{"New", p.criterion(h.New)})
	l.row(entry{"Labels", text(h.Labels)}, entry{"Annotations", text(h.Annotations)}, entry{"Name", text(h.Name)}, entry{"Namespace", text(h.Namespace)})
	l.row(entry{"When", p.when(h.When)}, entry{"Enabled", p.enabled(h.Enabled)})
	l.row(entry{"Optional", yes(h.Optional)}, entry{"Deleted", yes(h.Deleted)}, entry{"Result", p.result(h)})
	l.row(entry{"Daemon", p.daemon(h)}, entry{"Timer", p.timer(h)})
	l.row(entry{"Run", p.run(h)})
	return l.lines(jen.Null())
}

func (p *printer) kinds(k model.Kind) jen.Code {
	var all *jen.Statement
	for _, name := range k.Names() {
		if all == nil {
			all = p.operator(name)
			continue
		}
		all.Op("|").Add(p.operator(name))
	}
	return all
}

func (p *printer) result(h *model.Handler) jen.Code {
	if h.ResultNone {
		return p.operator("ResultNone")
	}
	return text(h.Result)
}

// criterion prints a condition on the field.
func (p *printer) criterion(c *model.Criterion) jen.Code {
	if c == nil {
		return nil
	}
	switch c.Test {
	case model.Present:
		return p.operator("Present").Call()
	case model.Absent:
		return p.operator("Absent").Call()
	case model.Equal:
		return p.operator("Equal").Call(constantOf(c.Literal))
	}
	return p.operator("Where").Call(p.names.of(c.Func.Package, c.Func.Name))
}

// constantOf prints a constant so that it has the default type of its kind, or uint64 if an int64 cannot hold it.
func constantOf(v constant.Value) jen.Code {
	switch v.Kind() {
	case constant.String:
		return jen.Lit(constant.StringVal(v))
	case constant.Bool:
		return jen.Lit(constant.BoolVal(v))
	case constant.Int:
		if i, exact := constant.Int64Val(v); exact {
			return jen.Lit(int(i))
		}
		return jen.Uint64().Call(jen.Op(v.ExactString()))
	}
	f, _ := constant.Float64Val(v)
	return jen.Lit(f)
}
