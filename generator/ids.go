package generator

import (
	"cmp"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/internal/annotation"
)

// id is the handler's id: its id argument, or the function's name; the field is appended, except for an index, as Kopf does.
func (a *assembly) id(e *entry) string {
	id := e.marker.ID.Value
	if !e.marker.ID.Set {
		id = goID(e.fn.Object.Name())
		if a.snake {
			id = snakeID(e.fn.Object.Name())
		}
	}
	if e.marker.Field.Set && !e.on().Has(model.OnIndex) {
		id += "/" + e.marker.Field.Value.Dotted()
	}
	return id
}

// goID lowers the leading capitals of a name, as JSON names have it: Greet is greet, HTTPProxy is httpProxy.
func goID(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

// snakeID spells a name as Python does: Greet is greet, HTTPProxy is http_proxy.
func snakeID(name string) string {
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && runes[i-1] != '_' &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// checkIDs reports ids that the API server would refuse as annotations, and different functions that share one on one kind.
func (a *assembly) checkIDs() {
	prefix := cmp.Or(a.op.Prefix, annotation.KopfPrefix)
	type owner struct {
		key  string // of the function
		name string
	}
	owners := map[string]owner{}
	for _, e := range a.entries {
		id := a.id(e)
		if !e.ofObject() || e.on().Has(model.OnIndex) || e.fn.Object.Name() == "_" {
			continue // the ids of the operator's own handlers only appear in logs, and indexes have ids of their own
		}
		pos := a.program.Position(e.marker.Pos)
		if e.marker.ID.Set {
			pos = a.program.Position(e.marker.ID.Pos)
		}
		if e.on().Has(model.OnChange) {
			a.checkID(pos, prefix, id) // only these keep records
		}
		if e.kind == nil {
			continue
		}
		scope := e.kind.GroupVersion() + " " + e.kind.Name
		o := owner{key: e.fn.Object.FullName(), name: called(e.fn.Object)}
		first, taken := owners[scope+" "+id]
		switch {
		case !taken:
			owners[scope+" "+id] = o
		case first.key != o.key:
			a.errorf(pos, codeSameID, "give one of them another id with id=", "the id %q of %s is already taken by %s", id, o.name, first.name)
		}
	}
}

// checkID reports an id under which no progress can be stored.
func (a *assembly) checkID(pos token.Position, prefix, id string) {
	switch name := annotation.V2(prefix, id); {
	case annotation.Legal(name) != nil:
		a.errorf(pos, codeIllegalID, "set id= to letters, digits, -, _ and ., beginning and ending with a letter or digit", "the id %q cannot name an annotation", id)
	case annotation.LegalID(prefix, id) != nil:
		a.errorf(pos, codeIllegalID, "choose another one with id=", "the id %q is reserved: the annotation %s has another meaning", id, name)
	}
}

// called is a function's name, with that of the receiver for methods.
func called(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	if named, ok := schema.Named(recv.Type()); ok {
		return named.Obj().Name() + "." + fn.Name()
	}
	return fn.Name()
}
