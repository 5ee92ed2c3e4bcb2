package emit

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
)

// bound keeps track of the methods that have been printed. A function whose markers all bind it in the same way has one.
type bound struct {
	methods map[string]string // names by what they do, see keyOf
	taken   map[string]bool
}

// name returns a free name for a method.
func (b *bound) name(wanted string) string {
	name := free(wanted, b.taken)
	if b.taken == nil {
		b.taken = map[string]bool{}
	}
	b.taken[name] = true
	return name
}

func (b *bound) keep(key, name string) {
	if b.methods == nil {
		b.methods = map[string]string{}
	}
	b.methods[key] = name
}

// keyOf identifies a call of a function: calls with equal keys can share a method.
func keyOf(fn *model.Func) string {
	var k strings.Builder
	if fn.Package != nil {
		k.WriteString(fn.Package.Path())
	}
	fmt.Fprintf(&k, ".%s.%s %p", fn.ReceiverName, fn.Name, fn.Receiver)
	writeView(&k, fn.View.Kind, fn.View.Type, fn.View.Fields)
	if fn.Change != nil {
		fmt.Fprintf(&k, " %s %s", typeKey(fn.Change.Old), typeKey(fn.Change.New))
	}
	for _, param := range fn.Params {
		writeParam(&k, param)
	}
	fmt.Fprintf(&k, " %v", fn.IntoStatus)
	return k.String()
}

func writeView(k *strings.Builder, kind model.ViewKind, t types.Type, fields []*model.ViewField) {
	fmt.Fprintf(k, " view %d %s{", kind, typeKey(t))
	for _, f := range fields {
		fmt.Fprintf(k, "%s %q", f.Name, f.JSON)
		writeView(k, 0, f.Type, f.Fields)
	}
	k.WriteString("}")
}

func writeParam(k *strings.Builder, p *model.Param) {
	fmt.Fprintf(k, " %d %s %s %p %p %p %q %v %q %v(", p.Kind, p.Name, typeKey(p.Type), p.Provider, p.Memo, p.Index, p.Key, p.Value, p.Part.Path, p.Part.Steps)
	for _, f := range p.Fields {
		writeParam(k, f)
	}
	k.WriteString(")")
}

func typeKey(t types.Type) string {
	if t == nil {
		return "none"
	}
	return types.TypeString(t, nil)
}
