package binding

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// isIndex recognises kopf.Index[K, V].
func isIndex(t types.Type) bool { return schema.Is(t, model.KopfPath, "Index") }

// Index notes the index of that id, which a function fills, and returns it. It returns nil if what the function returns is not rows of an
// index, which Bind reports, or not those of this index, which is reported here.
func (b *Binder) Index(fn Function, id string, marker token.Pos) *model.Index {
	c := &call{Binder: b, fn: fn, site: Site{Role: Handler, On: model.OnIndex, Marker: marker}, sig: fn.Object.Signature()}
	form, wrong := rowsOf(c.sig)
	if wrong != nil || c.sig.TypeParams().Len() > 0 || invalid(form.key, 0) || invalid(form.value, 0) {
		b.IndexesLost = true
		return nil
	}
	i := slices.IndexFunc(b.Indexes, func(ix *model.Index) bool { return ix.ID == id })
	if i < 0 {
		for _, t := range []types.Type{form.key, form.value} {
			if found := hidden(t, b.Operator, 0); found != nil {
				b.unnameable(c.resultPos(0), found)
				b.IndexesLost = true
				return nil
			}
		}
		ix := &model.Index{ID: id, Key: form.key, Value: form.value, Func: fn.Object.Name(), Pos: b.at(c.resultPos(0))}
		b.Indexes = append(b.Indexes, ix)
		return ix
	}
	ix := b.Indexes[i]
	if !types.Identical(ix.Key, form.key) || !types.Identical(ix.Value, form.value) {
		b.errorf(c.resultPos(0), codeIndexTypes, "return the same types, or give one of the indexes another id with id=",
			"%s makes the index %s a %s, but %s makes it a %s", c.name(), id, c.indexSpelling(form.key, form.value), ix.Func, c.indexSpelling(ix.Key, ix.Value))
		return nil
	}
	return ix
}

// rows is what an index function returns.
type rows struct {
	form       model.Rows
	key, value types.Type
}

// misfit is what is wrong with the results of an index function; at is the index of the result.
type misfit struct {
	at            int
	message, hint string
}

const rowForms = "return (K, V), (K, V, bool), map[K]V or map[K][]V, and an error if need be"

// rowsOf finds the form of an index function's results. Errors in the wrong place are not looked at.
func rowsOf(sig *types.Signature) (rows, *misfit) {
	var values []types.Type
	for v := range sig.Results().Variables() {
		values = append(values, v.Type())
	}
	if n := len(values); n > 0 && types.Identical(values[n-1], errorType) {
		values = values[:n-1]
	}
	var r rows
	switch len(values) {
	case 0:
		return r, &misfit{0, "returns no rows", rowForms}
	case 1:
		m, ok := values[0].Underlying().(*types.Map)
		if !ok {
			return r, &misfit{0, "returns a value without its key", rowForms}
		}
		r = rows{model.RowsMap, m.Key(), m.Elem()}
		// Bytes are one value; a type of the author's own is, too.
		if list, ok := types.Unalias(m.Elem()).(*types.Slice); ok && !types.Identical(list.Elem(), types.Typ[types.Byte]) {
			r = rows{model.RowsMultiMap, m.Key(), list.Elem()}
		}
	case 2:
		r = rows{model.RowsPair, values[0], values[1]}
	case 3:
		if !isBool(values[2]) {
			return r, &misfit{2, "returns more than a key and a value", "return a struct as the value; a third result is a bool that tells whether there is a row"}
		}
		r = rows{model.RowsPairIf, values[0], values[1]}
	default:
		return r, &misfit{2, "returns more than a key and a value", "return a struct as the value"}
	}
	if _, open := r.key.Underlying().(*types.Interface); open || !types.Comparable(r.key) {
		return r, &misfit{0, "returns keys that cannot be compared", "use keys of a type such as string, or a struct of such"}
	}
	return r, nil
}

// indexRows checks what an index function returns.
func (c *call) indexRows() {
	if _, ok := c.withoutError(); !ok {
		return
	}
	r, wrong := rowsOf(c.sig)
	if wrong == nil {
		c.out.Rows = r.form
		return
	}
	pos := c.pos()
	if wrong.at < c.sig.Results().Len() {
		pos = c.resultPos(wrong.at)
	}
	c.fail(pos, codeResults, wrong.hint, "the index function %s %s", c.name(), wrong.message)
}

// bindIndex finds the index that is called as the parameter.
func (c *call) bindIndex(p *model.Param) {
	if p.Name == "" || p.Name == "_" {
		c.fail(c.place[p], codeIndex, c.indexHint(p), "an unnamed index could be any")
		return
	}
	c.takeIndex(p, c.place[p], p.Name)
}

// takeIndex gives a parameter, or a field of a tagged struct, the index of that id.
func (c *call) takeIndex(p *model.Param, pos token.Pos, id string) {
	i := slices.IndexFunc(c.Indexes, func(ix *model.Index) bool { return ix.ID == id })
	switch {
	case i < 0 && c.IndexesLost:
		c.ok = false
		return
	case i < 0:
		c.fail(pos, codeIndex, c.indexHint(p), "no index is called %s", id)
		return
	}
	ix := c.Indexes[i]
	if !types.Identical(typeArgument(p.Type, 0), ix.Key) || !types.Identical(typeArgument(p.Type, 1), ix.Value) {
		c.fail(pos, codeIndexTypes, "take a "+c.indexSpelling(ix.Key, ix.Value), "the index %s, which %s fills, is not a %s", id, ix.Func, c.spell(p.Type))
		return
	}
	p.Index = ix
}

// indexHint lists the indexes of a parameter's type or, if there are none, all of them.
func (c *call) indexHint(p *model.Param) string {
	if len(c.Indexes) == 0 {
		return "put //+kopf:on=index above a function that returns the key and the value of an object"
	}
	var same, all, ids []string
	for _, ix := range c.Indexes {
		ids = append(ids, ix.ID)
		all = append(all, ix.ID+" "+c.indexSpelling(ix.Key, ix.Value))
		if types.Identical(typeArgument(p.Type, 0), ix.Key) && types.Identical(typeArgument(p.Type, 1), ix.Value) {
			same = append(same, ix.ID)
		}
	}
	if len(same) > 0 {
		return "the indexes of this type: " + strings.Join(same, ", ")
	}
	if near := diagnostic.Nearest(p.Name, ids); near != "" {
		i := slices.Index(ids, near)
		return "did you mean " + all[i] + "?"
	}
	return "the indexes: " + strings.Join(all, ", ")
}

// indexSpelling is the type of an index's parameter as it reads in the function's file.
func (c *call) indexSpelling(key, value types.Type) string {
	return "kopf.Index[" + c.spell(key) + ", " + c.spell(value) + "]"
}
