package generator

import (
	"cmp"
	"go/types"

	"github.com/kopfgen/kopfgen/generator/binding"
	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/markers"
)

// handlers binds the handlers of objects and groups them by resource.
func (a *assembly) handlers() {
	for _, e := range a.entries {
		if !e.ofObject() || e.kind == nil {
			continue
		}
		if h := a.handler(e); h != nil {
			r := a.resource(e)
			r.Handlers = append(r.Handlers, h)
		}
	}
}

// resource returns the resource of the handler's kind.
func (a *assembly) resource(e *entry) *model.Resource {
	k := e.kind
	for _, r := range a.op.Resources {
		if r.Group == k.Group && r.Version == k.Version && r.Kind == k.Name {
			a.checkTwin(r, k)
			return r
		}
	}
	r := &model.Resource{
		Group: k.Group, Version: k.Version, Kind: k.Name, Plural: k.Plural, Namespaced: k.Namespaced, Type: k.Type,
		Declared: k.Declared, Dir: k.Dir, StatusSubresource: k.StatusSubresource, Pos: a.program.Position(k.Pos),
	}
	if k.Declared && k.Type.Obj().Pkg() != a.own.Types {
		a.checkPredeclared(k.Type.Obj().Pkg())
	}
	if !k.Declared {
		r.Pos = a.program.Position(e.marker.Pos)
	}
	a.op.Resources = append(a.op.Resources, r)
	return r
}

// checkTwin reports a kind that two packages declare: its CRD can only be made from one type. Imported kinds may have several types, each
// with the fields that its handlers need.
func (a *assembly) checkTwin(r *model.Resource, k *schema.Kind) {
	if r.Type == nil || k.Type == nil || r.Type == k.Type || !r.Declared && !k.Declared {
		return
	}
	other := r.Type
	if !k.Declared {
		k, other = a.kindOf(r), k.Type
	}
	a.errorf(a.program.Position(k.Pos), codeTwin, "keep one of the types", "the kind %s of %s is also declared in %s", k.Name, k.GroupVersion(), other.Obj().Pkg().Path())
}

// handler binds one marker.
func (a *assembly) handler(e *entry) *model.Handler {
	m := e.marker
	h := &model.Handler{
		ID: a.id(e), On: e.on(), Policy: a.policy(e),
		Name: m.Name.Value, Namespace: m.Namespace.Value,
		Optional: m.Optional.Value, Deleted: m.Deleted.Value,
		Result: m.Result.Value.Key, ResultNone: m.Result.Value.None,
		Schedule: a.binder.Schedule(m, e.on(), e.kind, e.scope), Index: a.filled[e],
		Pos: a.program.Position(m.Pos),
	}
	if m.Labels.Set && m.Labels.Value.Selector != nil {
		h.Labels = m.Labels.Value.String()
	}
	if m.Annotations.Set && m.Annotations.Value.Selector != nil {
		h.Annotations = m.Annotations.Value.String()
	}
	if m.Namespace.Set && !e.kind.Namespaced {
		a.errorf(a.program.Position(m.Namespace.Name), codeNoNamespace, "leave the argument out", "objects of kind %s have no namespace", e.kind)
	}
	field, ok := a.field(e)
	if field != nil {
		h.Field, h.FieldType = field.Path, field.Place.Type
		h.Value = a.binder.Criterion(m.Value, field, e.scope)
		h.Old = a.binder.Criterion(m.Old, field, e.scope)
		h.New = a.binder.Criterion(m.New, field, e.scope)
	}
	if m.When.Set {
		h.When = a.filter(m.When.Value, e, "when=", binding.Site{Role: binding.Filter, On: e.on(), Kind: e.kind, Result: binding.Bool, Marker: m.When.Pos})
	}
	if m.Enabled.Set {
		h.Enabled = a.filter(m.Enabled.Value, e, "enabled=", binding.Site{Role: binding.Switch, Result: binding.Bool, Marker: m.Enabled.Pos})
	}
	// A path that leads nowhere says nothing about old and new, but the rest of the function is still checked.
	site := binding.Site{Role: binding.Handler, On: e.on(), Kind: e.kind, Field: field, Param: m.Param, Faulty: m.Faulty || !ok, Marker: m.Pos}
	f, bound := a.binder.Bind(e.fn, site)
	if !ok || !bound || h.On.Has(model.OnIndex) && h.Index == nil {
		return nil
	}
	if m.Result.Set {
		switch {
		case f.Result == nil && !m.Faulty:
			a.errorf(a.program.Position(m.Result.Name), binding.CodeResultKey, "remove the argument, or return something", "%s returns no result", e.fn.Object.Name())
		case f.IntoStatus:
			f.IntoStatus = false // the author has said where the result goes
		}
	}
	h.Func = *f
	return h
}

// field resolves the field of a marker. It is false if the path leads nowhere.
func (a *assembly) field(e *entry) (*binding.Field, bool) {
	arg := e.marker.Field
	if !arg.Set || len(arg.Value) == 0 {
		return nil, true
	}
	path := arg.Value.Names()
	var root types.Type
	if e.kind.Type != nil {
		root = e.kind.Type
	}
	place, err := schema.Resolve(root, path)
	if e, ok := err.(*schema.PathError); ok {
		a.errorf(a.program.Position(arg.Value[e.Segment].Pos), e.Code, e.Hint, "%s", e.Message)
		return nil, false
	}
	return &binding.Field{Path: path, Place: place}, true
}

// filter binds the function that an argument names.
func (a *assembly) filter(id markers.Ident, e *entry, use string, site binding.Site) *model.Func {
	fn, ok := a.binder.FunctionOf(id, e.scope, use, "leave the argument out")
	if !ok {
		return nil
	}
	f, ok := a.binder.Bind(fn, site)
	if !ok {
		return nil
	}
	return f
}

// resultKey is where a handler's result goes below the status.
func resultKey(h *model.Handler) string { return cmp.Or(h.Result, h.ID) }
