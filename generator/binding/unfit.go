package binding

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// unfit reports a parameter that no rule applies to, with what would fit.
func (c *call) unfit(p *model.Param, v *types.Var, i int) {
	text := c.typeText(i)
	shown := strings.TrimSpace(p.Name + " " + text)
	if (p.Name == "" || p.Name == "_") && c.plain(p.Type) {
		hint := "remove it: functions can take nothing of this type"
		if near := c.nearest(p, text); len(near) > 0 {
			hint = "name it after what it takes: " + strings.Join(near, ", ")
		}
		c.fail(c.paramPos(v), codeUnfit, hint,
			"an unnamed parameter of type %s could be anything", text)
		return
	}
	if c.site.Kind == nil && c.ofObject(p.Type) {
		c.fail(c.paramPos(v), codeNotOffered, objectsOnly, "%s is not available to %s", text, c.called())
		return
	}
	hint := ""
	if near := c.nearest(p, text); len(near) > 0 {
		hint = "what would fit: " + strings.Join(near, ", ")
	}
	if elem, pointer := schema.Deref(p.Type); pointer && hasKopfTag(elem) {
		hint = "take " + c.spell(elem) + " by value: it is filled by its tags"
	}
	c.fail(c.paramPos(v), codeUnfit, hint, "nothing fits the parameter %s of %s", shown, c.name())
}

// ofObject reports whether a type is a kind, or the spec or status of one.
func (c *call) ofObject(t types.Type) bool {
	elem, _ := schema.Deref(t)
	_, kind := c.Catalog.Of(elem)
	return kind || schema.ObjectMeta(elem) || len(c.Catalog.Having(elem, c.fn.Package.Types)) > 0
}

// plain reports whether parameters of a type are bound by name.
func (c *call) plain(t types.Type) bool {
	if isBasic(t) {
		return true
	}
	for _, o := range c.offers {
		if o.name != "" && o.fits(t) {
			return true
		}
	}
	return false
}

// listed is how many possibilities a hint lists.
const listed = 6

// nearest lists what is offered, nearest first.
func (c *call) nearest(p *model.Param, text string) []string {
	type candidate struct {
		text  string
		score int
	}
	var all []candidate
	for _, o := range c.offered() {
		text := strings.TrimSpace(o.name + " " + o.spelling)
		if o.kind == model.ParamContext && len(c.out.Params) > 1 || // the context must come first
			o.kind == model.ParamParam && p.Name != o.name && !c.site.Param.Set ||
			(p.Name == "" || p.Name == "_") && (o.name == "" || !o.fits(p.Type)) ||
			slices.ContainsFunc(all, func(o candidate) bool { return o.text == text }) {
			continue
		}
		all = append(all, candidate{text, distance(p, typeName(p.Type), o)})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.score, b.score) })
	var out []string
	for _, a := range all[:min(listed, len(all))] {
		out = append(out, a.text)
	}
	return out
}

// distance says how far a parameter is from an offer: a name or type that is right, or almost, counts for more than any similar spelling.
func distance(p *model.Param, text string, o offer) int {
	fits := o.fits(p.Type)
	nameDistance := diagnostic.Distance(strings.ToLower(p.Name), strings.ToLower(o.name))
	elem, pointer := schema.Deref(p.Type)
	switch {
	case o.name != "" && o.name == p.Name:
		return 0
	case o.name != "" && fits && p.Name != "" && nameDistance <= max(1, len(o.name)/3):
		return nameDistance
	case o.name == "" && (pointer && o.fits(elem) || !pointer && o.fits(types.NewPointer(p.Type))):
		return 2
	case o.name == "" && strings.EqualFold(text, bareName(o.spelling)):
		return 3
	case fits:
		return 10 + nameDistance
	case o.name != "":
		return 40 + nameDistance
	}
	return 20 + diagnostic.Distance(strings.ToLower(text), strings.ToLower(bareName(o.spelling)))
}

// typeName is the bare name of a defined type or of what it points to.
func typeName(t types.Type) string {
	if n, ok := schema.Named(t); ok {
		return n.Obj().Name()
	}
	return types.TypeString(t, func(*types.Package) string { return "" })
}

// bareName strips pointer, package and type arguments from a spelling.
func bareName(spelling string) string {
	spelling, _, _ = strings.Cut(spelling, "[")
	return spelling[strings.LastIndexAny(spelling, "*.")+1:]
}
