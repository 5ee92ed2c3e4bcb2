package emit

import (
	"fmt"
	"maps"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// definition prints the function that returns the table, and with it everything that the table refers to.
func (p *printer) definition() *jen.Statement {
	var table literal
	table.row(entry{"Name", jen.Lit(p.op.Name)})
	table.row(entry{"Defaults", p.defaults()})
	table.row(entry{"Activities", p.activities()})
	table.row(entry{"Resources", p.resources()})
	return jen.Commentf("%s returns the operator that the markers of this package describe: %s.", p.function, p.summary()).Line().
		Func().Id(p.function).Params().Add(p.operator("Definition")).Block(
		p.holderVariable(),
		jen.Return(table.lines(p.operator("Definition"))),
	)
}

// holderVariable declares h, unless there are no methods to refer to.
func (p *printer) holderVariable() jen.Code {
	if len(p.methods) == 0 {
		return jen.Null()
	}
	return jen.Id(p.variable).Op(":=").Add(p.fields.values())
}

// summary counts what the operator has.
func (p *printer) summary() string {
	handlers := len(p.op.Activities)
	for _, r := range p.op.Resources {
		handlers += len(r.Handlers)
	}
	return count(len(p.op.Resources), "resource") + ", " + count(handlers, "handler")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (p *printer) defaults() jen.Code {
	var l literal
	l.row(entry{"Prefix", text(p.op.Prefix)}, entry{"Finalizer", text(p.op.Finalizer)})
	l.row(entry{"Policy", p.policy(p.op.Policy)})
	if len(l.rows) == 0 {
		return nil
	}
	return l.line(p.operator("Defaults"))
}

func (p *printer) resources() jen.Code {
	if len(p.op.Resources) == 0 {
		return nil
	}
	list := make([]jen.Code, len(p.op.Resources))
	for i, r := range p.op.Resources {
		list[i] = p.resource(r)
	}
	return jen.Index().Add(p.operator("Resource")).Values(list...)
}

func (p *printer) resource(r *model.Resource) jen.Code {
	var l literal
	l.row(entry{"Group", text(r.Group)}, entry{"Version", jen.Lit(r.Version)}, entry{"Kind", jen.Lit(r.Kind)}, entry{"Plural", jen.Lit(r.Plural)},
		entry{"Namespaced", yes(r.Namespaced)})
	l.row(entry{"Watch", p.watch(r.Watch)})
	l.row(entry{"ListMapKeys", listMapKeys(r.ListMapKeys)})
	handlers := make([]jen.Code, len(r.Handlers))
	for i, h := range r.Handlers {
		handlers[i] = p.handler(h)
	}
	l.row(entry{"Handlers", jen.Index().Add(p.operator("Handler")).Values(handlers...)})
	return l.lines(jen.Null())
}

func (p *printer) watch(w model.Watch) jen.Code {
	var l literal
	var base jen.Code
	if !w.Base {
		base = p.operator("BaseNone")
	}
	l.row(entry{"Labels", text(w.Labels)}, entry{"Fields", text(w.Fields)}, entry{"Finalizer", yes(w.Finalizer)}, entry{"Base", base},
		entry{"Extra", paths(w.Extra)}, entry{"Reads", paths(w.Reads)})
	if len(l.rows) == 0 {
		return nil
	}
	return l.line(p.operator("Watch"))
}

func listMapKeys(keys map[string][]string) jen.Code {
	if len(keys) == 0 {
		return nil
	}
	var rows []jen.Code
	for _, list := range slices.Sorted(maps.Keys(keys)) {
		rows = append(rows, jen.Lit(list).Op(":").Values(lits(keys[list])...))
	}
	of := jen.Map(jen.String()).Index().String()
	if len(rows) > 3 {
		return of.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, rows...)
	}
	return of.Values(rows...)
}
