package binding

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// Resource finds the kind that a marker on a function is about: what kind=, group= and version= say, else what the types of the parameters agree
// on, else the only kind that the package declares. If there is none, it reports why and returns nil.
func (b *Binder) Resource(fn Function, m *markers.Handler, from Scope) *schema.Kind {
	r := &resolution{Binder: b, fn: fn, marker: m, from: from}
	r.evidence()
	var found *schema.Kind
	if m.Kind.Set {
		found = r.byName()
	} else {
		found = r.byTypes()
	}
	if found == nil || !r.agree(found) {
		return nil
	}
	completed, ok := found.With(argument(m.Group), argument(m.Version))
	if !ok {
		arg := m.Group
		if !arg.Set || arg.Value == found.Group {
			arg = m.Version
		}
		b.errorf(arg.Pos, schema.CodeConflict, "leave the argument out", "%s belongs to %s", found, found.GroupVersion())
		return nil
	}
	if !b.Catalog.Check(completed, m.Pos, b.Diags) {
		return nil
	}
	return completed
}

func argument(arg markers.Arg[string]) *string {
	if !arg.Set {
		return nil
	}
	return &arg.Value
}

// resolution is the search for the kind of one marker.
type resolution struct {
	*Binder
	fn     Function
	marker *markers.Handler
	from   Scope
	hints  []hint
}

// hint is a parameter whose type belongs to one or several kinds.
type hint struct {
	param string
	pos   token.Pos
	kinds []*schema.Kind
}

// evidence collects what the types of the parameters say.
func (r *resolution) evidence() {
	for v := range r.fn.Object.Signature().Params().Variables() {
		t, _ := schema.Deref(v.Type())
		if isLive(t) {
			t, _ = schema.Deref(typeArgument(t, 0))
		}
		var kinds []*schema.Kind
		if k, ok := r.Catalog.Of(t); ok {
			kinds = []*schema.Kind{k}
		} else {
			kinds = r.Catalog.Having(t, r.fn.Package.Types)
		}
		if len(kinds) > 0 {
			r.hints = append(r.hints, hint{v.Name(), r.paramPos(v), kinds})
		}
	}
}

func (r *resolution) paramPos(v *types.Var) token.Pos {
	if r.fn.Decl != nil {
		return v.Pos()
	}
	return r.marker.Pos
}

// byTypes takes what the parameters say, or the only kind of the package.
func (r *resolution) byTypes() *schema.Kind {
	if len(r.hints) == 0 {
		if r.almost() {
			return nil
		}
		return r.onlyKind()
	}
	// Parameters that agree with no other are left aside here, and reported later.
	common := slices.Clone(r.hints[0].kinds)
	for _, h := range r.hints[1:] {
		both := slices.DeleteFunc(slices.Clone(common), func(k *schema.Kind) bool { return !slices.Contains(h.kinds, k) })
		if len(both) > 0 {
			common = both
		}
	}
	common = slices.DeleteFunc(common, func(k *schema.Kind) bool {
		return len(common) > 1 && (r.marker.Group.Set && k.Group != r.marker.Group.Value || r.marker.Version.Set && k.Version != r.marker.Version.Value)
	})
	if len(common) > 1 {
		r.errorf(r.hints[0].pos, schema.CodeAmbiguous, "add kind= to the marker", "%s belongs to several kinds: %s", r.hints[0].param, list(common))
		return nil
	}
	if len(common) == 0 {
		return r.hints[0].kinds[0]
	}
	return common[0]
}

// almost reports parameters that look like objects but are not, and whether there are any.
func (r *resolution) almost() bool {
	found := false
	for v := range r.fn.Object.Signature().Params().Variables() {
		t, _ := schema.Deref(v.Type())
		if why := schema.AlmostKind(t); why != "" {
			r.errorf(r.paramPos(v), schema.CodeUnknownKind, "a kind is a struct that embeds metav1.TypeMeta and metav1.ObjectMeta", "%s is not a kind: it %s",
				spell(t, r.from), why)
			found = true
		}
	}
	return found
}

// onlyKind is the kind that the package of the function declares, if it is one.
func (r *resolution) onlyKind() *schema.Kind {
	declared := r.Catalog.In(r.fn.Package.Types)
	switch {
	case r.untyped() && len(declared) != 1:
		r.errorf(r.marker.Pos, schema.CodeUnknownKind, "add group=, version= and kind= to the marker", "nothing says which kind of object the handler is for")
	case len(declared) == 1:
		return declared[0]
	case len(declared) == 0:
		if !r.fn.Package.Broken {
			r.errorf(r.marker.Pos, schema.CodeUnknownKind, "take the object, its spec or its status, or add kind= to the marker",
				"nothing says which kind of object the handler is for")
		}
	default:
		r.errorf(r.marker.Pos, schema.CodeAmbiguous, "take the object, its spec or its status, or add kind= to the marker",
			"the handler could be for any of %s", list(declared))
	}
	return nil
}

// untyped reports whether the function takes an unstructured object.
func (r *resolution) untyped() bool {
	for v := range r.fn.Object.Signature().Params().Variables() {
		if t, _ := schema.Deref(v.Type()); schema.Unstructured(t) {
			return true
		}
	}
	return false
}

// byName finds the kind that kind= names.
func (r *resolution) byName() *schema.Kind {
	m := r.marker
	known := r.known()
	var fit []*schema.Kind
	for _, k := range known {
		if k.Name != m.Kind.Value {
			continue
		}
		if completed, ok := k.With(argument(m.Group), argument(m.Version)); ok && completed != nil {
			fit = append(fit, k)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0]
	case len(fit) > 1:
		r.errorf(m.Kind.Pos, schema.CodeAmbiguous, "add group= or version=", "several kinds are named %s: %s", m.Kind.Value, list(fit))
		return nil
	}
	if m.Group.Set && m.Version.Set {
		return &schema.Kind{
			Name: m.Kind.Value, Group: m.Group.Value, Version: m.Version.Value, Plural: schema.Plural(m.Kind.Value), Namespaced: true, Pos: m.Pos,
		}
	}
	var names []string
	for _, k := range known {
		names = append(names, k.Name)
	}
	hint := diagnostic.DidYouMean(m.Kind.Value, names)
	if hint == "" {
		hint = "import the kind's package and take the type, or add group= and version= for a kind without a Go type"
	}
	for _, k := range known {
		if k.Name == m.Kind.Value {
			hint = k.Name + " belongs to " + k.GroupVersion()
		}
	}
	if !r.fn.Package.Broken {
		r.errorf(m.Kind.Pos, schema.CodeUnknownKind, hint, "no kind %s is known here", m.Kind.Value)
	}
	return nil
}

// known lists the kinds that kind= may mean: those of the parameters, of the author's packages, and of what the function's file imports.
func (r *resolution) known() []*schema.Kind {
	var all []*schema.Kind
	add := func(kinds ...*schema.Kind) {
		for _, k := range kinds {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	for _, h := range r.hints {
		add(h.kinds...)
	}
	add(r.Catalog.In(r.fn.Package.Types)...)
	for _, pkg := range r.fn.Package.Types.Imports() {
		add(r.Catalog.In(pkg)...)
	}
	return all
}

// agree reports whether all parameters belong to the kind, after adding a diagnostic for each that does not.
func (r *resolution) agree(k *schema.Kind) bool {
	ok := true
	for _, h := range r.hints {
		if !slices.Contains(h.kinds, k) {
			ok = false
			what := "the handler is for " + k.String()
			if r.marker.Kind.Set {
				what = "kind= says " + k.String()
			}
			r.errorf(h.pos, schema.CodeConflict, "take the types of one kind", "%s belongs to %s, but %s", h.param, list(h.kinds), what)
		}
	}
	return ok
}

func list(kinds []*schema.Kind) string {
	var names []string
	for _, k := range kinds {
		name := k.String()
		if slices.ContainsFunc(kinds, func(o *schema.Kind) bool { return o != k && o.String() == name }) {
			name = k.GroupVersion() + " " + k.Name
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
