package binding

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
)

// hasKopfTag reports whether some field of a struct has a kopf tag, so that the struct is meant to be filled.
func hasKopfTag(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if _, ok := reflect.StructTag(st.Tag(i)).Lookup("kopf"); ok {
			return true
		}
	}
	return false
}

// tagged binds a struct that is filled by its tags. It returns false for any other parameter.
func (c *call) tagged(p *model.Param, v *types.Var) bool {
	st, ok := p.Type.Underlying().(*types.Struct)
	if !ok || !hasKopfTag(p.Type) {
		return false
	}
	p.Kind = model.ParamTagged
	if c.site.Role&(Handler|Filter) == 0 {
		c.fail(c.paramPos(v), codeNotOffered, objectsOnly, "a struct with kopf tags is not available to %s", c.called())
		return true
	}
	c.nameable(p, p.Type)
	for i := range st.NumFields() {
		t := tagReader{call: c, field: st.Field(i), place: c.fieldPlace(v, st.Field(i))}
		tag, ok := reflect.StructTag(st.Tag(i)).Lookup("kopf")
		switch {
		case st.Field(i).Embedded():
			t.fail(t.place.name, "name the field", "%s is embedded", st.Field(i).Name())
		case !ok:
			t.fail(t.place.name, `give it a kopf tag, or kopf:"-" to leave it alone`, "the field %s has no kopf tag, unlike others of %s", st.Field(i).Name(), c.spell(p.Type))
		case tag == "-":
		case !st.Field(i).Exported() && st.Field(i).Pkg() != c.Operator:
			t.fail(t.place.name, "export it", "the field %s is not exported, and the operator is another package", st.Field(i).Name())
		default:
			t.read(p, tag)
		}
	}
	return true
}

// fieldPlace is where the field is declared, as exactly as its source allows.
type fieldPlace struct {
	name token.Pos
	tag  *ast.BasicLit // nil if there is no source
}

func (c *call) fieldPlace(param, field *types.Var) fieldPlace {
	place := fieldPlace{name: c.paramPos(param)}
	if field.Pkg() == nil {
		return place
	}
	pkg := c.Program.Find(field.Pkg().Path())
	if pkg == nil {
		return place
	}
	place.name = field.Pos()
	if f := pkg.FileOf(field.Pos()); f != nil {
		ast.Inspect(f.File, func(n ast.Node) bool {
			if n == nil || n.Pos() > field.Pos() || n.End() <= field.Pos() {
				return n == ast.Node(f.File)
			}
			if field, ok := n.(*ast.Field); ok && field.Tag != nil {
				place.tag = field.Tag
			}
			return true
		})
	}
	return place
}

// tagReader reads one tag.
type tagReader struct {
	*call
	field *types.Var
	place fieldPlace
	value string
}

func (t *tagReader) fail(pos token.Pos, hint, format string, args ...any) {
	t.call.fail(pos, codeTag, hint, format, args...)
}

// at is the position of an offset in the tag's value. It is exact as long as the tag is written without escapes.
func (t *tagReader) at(offset int) token.Pos {
	if t.place.tag == nil {
		return t.place.name
	}
	written := strings.Index(t.place.tag.Value, `kopf:`)
	if written < 0 {
		return t.place.tag.Pos()
	}
	open := strings.IndexByte(t.place.tag.Value[written:], '"')
	return t.place.tag.Pos() + token.Pos(written+open+1+offset)
}

func (t *tagReader) read(parent *model.Param, tag string) {
	t.value = tag
	p := &model.Param{Name: t.field.Name(), Type: t.field.Type(), Pos: t.call.at(t.at(0))}
	t.call.place[p] = t.at(0)
	if t.broken(p.Type) {
		return
	}
	word, key, keyed := strings.Cut(tag, "=")
	switch {
	case tag == "":
		t.fail(t.at(0), `write kopf:"-" to leave the field alone`, "the tag is empty")
		return
	case keyed && (word == "label" || word == "annotation"):
		t.keyed(p, word, key)
	case keyed && word == "index":
		t.index(p, key)
	case t.plainName(tag):
		t.named(p, tag)
	default:
		t.path(p, tag)
	}
	parent.Fields = append(parent.Fields, p)
}

// keyed binds one label or annotation.
func (t *tagReader) keyed(p *model.Param, word, key string) {
	elem, _ := schema.Deref(p.Type)
	if !types.Identical(elem, types.Typ[types.String]) {
		t.fail(t.at(0), "make the field a string, or a *string that is nil without it", "a %s cannot be read as %s", word, t.spell(p.Type))
		return
	}
	if key == "" {
		t.fail(t.at(0), "write "+word+"=<key>", "the key of the %s is missing", word)
		return
	}
	p.Kind, p.Key = model.ParamLabel, key
	if word == "annotation" {
		p.Kind = model.ParamAnnotation
	}
	t.once(p, word+"="+key)
}

// named binds one of the plain values, by the name in the tag instead of the field's.
func (t *tagReader) named(p *model.Param, name string) {
	var spellings []string
	for i := range t.offers {
		o := &t.offers[i]
		if o.name != name {
			continue
		}
		if !o.fits(p.Type) {
			spellings = append(spellings, o.spelling)
			continue
		}
		if !t.may(o) {
			t.refuseOffer(t.at(0), name, o)
			return
		}
		t.take(p, t.at(0), o)
		return
	}
	t.fail(t.at(0), "make the field of type "+strings.Join(spellings, " or "), "%s cannot be read as %s", name, t.spell(p.Type))
}

// path binds a field of the object.
func (t *tagReader) path(p *model.Param, tag string) {
	path, offsets, err := splitPath(tag)
	if err != nil {
		t.fail(t.at(err.offset), "", "%s", err.message)
		return
	}
	if t.site.Kind == nil || t.site.Kind.Type == nil {
		t.fail(t.at(0), "take kopf.Raw or *unstructured.Unstructured", "the kind has no Go type, so its fields are not known")
		return
	}
	place, failed := schema.Resolve(t.site.Kind.Type, path)
	if e, ok := failed.(*schema.PathError); ok {
		t.call.fail(t.at(offsets[e.Segment]), e.Code, e.Hint, "%s", e.Message)
		return
	}
	if !fitsField(p.Type, place.Type) {
		t.fail(t.at(0), "make the field of type "+strings.Join(fieldSpellings(place.Type, t.spell), " or "), "%s cannot be read as %s", tag, t.spell(p.Type))
		return
	}
	for _, name := range path {
		if !validInTag(name) {
			t.fail(t.at(0), "take the whole map", "the key %q cannot be read on its own", name)
			return
		}
	}
	p.Kind = model.ParamPart
	if t.once(p, strings.Join(path, "\x00")) {
		t.parts = append(t.parts, &part{path: path, want: p.Type, declared: place.Type, param: p})
	}
}

// once notes what a field takes, and reports it if something else takes the same.
func (t *tagReader) once(p *model.Param, key string) bool {
	if other := t.taken[key]; other != nil {
		t.call.fail(t.at(0), codeTwice, "take it once", "%s already takes this as %s", t.name(), nameOf(other))
		return false
	}
	t.taken[key] = p
	return true
}

// fitsField reports whether a field of type F can be read as t: F, *F, what F points to, or raw.
func fitsField(t, f types.Type) bool {
	t = types.Unalias(t)
	elem, pointer := schema.Deref(f)
	return types.Identical(t, f) || types.Identical(t, types.NewPointer(f)) || pointer && types.Identical(t, elem) || is(model.KopfPath, "Raw")(t)
}

func fieldSpellings(f types.Type, spell func(types.Type) string) []string {
	if elem, pointer := schema.Deref(f); pointer {
		return []string{spell(f), spell(elem)}
	}
	return []string{spell(f), "*" + spell(f)}
}

// index binds an index whose id need not be a name in Go.
func (t *tagReader) index(p *model.Param, id string) {
	switch {
	case t.site.On.Has(model.OnIndex):
		t.call.fail(t.at(0), codeNotOffered, indexAlone, "an index is not available to %s", t.handlers())
		return
	case !isIndex(p.Type):
		t.fail(t.at(0), "make the field a kopf.Index[K, V]", "an index cannot be read as %s", t.spell(p.Type))
		return
	case id == "":
		t.fail(t.at(0), "write index=<id>", "the id of the index is missing")
		return
	}
	p.Kind = model.ParamIndex
	if t.once(p, "index="+id) {
		t.takeIndex(p, t.at(len("index=")), id)
	}
}
