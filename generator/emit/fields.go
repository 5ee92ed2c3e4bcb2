package emit

import (
	"go/types"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// fields are the fields of the struct that the bound methods belong to: what they share.
type fields struct {
	*printer
	taken     map[string]bool
	providers map[*model.Provider]string
	memos     map[*model.Memo]string
	indexes   map[*model.Index]string
	// dynamic and client keep the clients, and are empty as long as nobody takes one; newClient is the method that makes the latter.
	dynamic, client, newClient string
}

func newFields(p *printer) fields {
	f := fields{
		printer: p, taken: map[string]bool{},
		providers: map[*model.Provider]string{}, memos: map[*model.Memo]string{}, indexes: map[*model.Index]string{},
	}
	for _, provider := range p.op.Providers {
		if provider.Used {
			f.providers[provider] = f.name("dep" + upperFirst(wordFor(provider.Type)))
		}
	}
	for _, memo := range p.op.Memos {
		f.memos[memo] = f.name("memo" + upperFirst(wordFor(memo.Type)))
	}
	for _, ix := range p.op.Indexes {
		f.indexes[ix] = f.name("index" + upperFirst(identifier(ix.ID)))
	}
	return f
}

func (f *fields) name(wanted string) string {
	name := free(wanted, f.taken)
	f.taken[name] = true
	return name
}

// dynamicClient returns the field that keeps the dynamic client.
func (f *fields) dynamicClient() string {
	if f.dynamic == "" {
		f.dynamic = f.name("dynamic")
	}
	return f.dynamic
}

// typedClient returns the field that keeps the typed client, and the method that makes it.
func (f *fields) typedClient() (field, method string) {
	if f.client == "" {
		f.client, f.newClient = f.name("client"), f.bound.name("newClient")
		f.clientMethod()
	}
	return f.client, f.newClient
}

// declaration prints the struct.
func (f *fields) declaration() jen.Code {
	var list []jen.Code
	for _, provider := range f.op.Providers {
		if name, ok := f.providers[provider]; ok {
			list = append(list, jen.Id(name).Add(f.typ(provider.Type)).Comment("from "+provider.From.Func.Name))
		}
	}
	for _, memo := range f.op.Memos {
		list = append(list, jen.Id(f.memos[memo]).Add(f.operator("MemoKey")).Types(f.typ(memo.Type)))
	}
	for _, ix := range f.op.Indexes {
		list = append(list, jen.Id(f.indexes[ix]).Op("*").Add(f.operator("Index")).Types(f.typ(ix.Key), f.typ(ix.Value)))
	}
	if f.dynamic != "" {
		client := jen.Op("*").Add(f.names.qualified(dynamicPath, "dynamic", "DynamicClient"))
		list = append(list, jen.Id(f.dynamic).Add(f.operator("Clientset")).Types(client))
	}
	if f.client != "" {
		list = append(list, jen.Id(f.client).Add(f.operator("Clientset")).Types(jen.Op("*").Add(f.names.qualified(model.ClientPath, "client", "Client"))))
	}
	if len(f.methods) == 0 {
		return jen.Null()
	}
	comment := f.holder + " binds the functions of this package."
	if len(list) > 0 {
		comment = f.holder + " binds the functions of this package; its fields are what they share."
	}
	return jen.Comment(comment).Line().Type().Id(f.holder).Struct(list...)
}

// values prints the struct as it begins: with its indexes, which are empty.
func (f *fields) values() *jen.Statement {
	var l literal
	for _, ix := range f.op.Indexes {
		l.row(entry{f.indexes[ix], f.operator("NewIndex").Types(f.typ(ix.Key), f.typ(ix.Value)).Call(jen.Lit(ix.ID))})
	}
	if len(l.rows) > 1 {
		return l.lines(jen.Op("&").Id(f.holder))
	}
	return l.line(jen.Op("&").Id(f.holder))
}

// identifier makes a part of a name of an id: the letters after what cannot be in a name become capitals, so that by-tier is byTier.
func identifier(id string) string {
	var b strings.Builder
	next := false
	for _, r := range id {
		switch {
		case r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r):
			next = true
		case next:
			b.WriteRune(unicode.ToUpper(r))
			next = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// wordFor turns a type into a word that can be part of a name.
func wordFor(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return t.Obj().Name()
	case *types.Named:
		return t.Obj().Name()
	case *types.Basic:
		return t.Name()
	case *types.Pointer:
		return wordFor(t.Elem())
	case *types.Slice:
		return wordFor(t.Elem()) + "s"
	case *types.Array:
		return wordFor(t.Elem()) + "s"
	case *types.Map:
		return wordFor(t.Elem()) + "By" + upperFirst(wordFor(t.Key()))
	}
	return "value"
}
