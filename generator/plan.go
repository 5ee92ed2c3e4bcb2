package generator

import (
	"go/types"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/internal/annotation"
)

// plan works out what the handlers of each resource need of its objects.
func (a *assembly) plan() {
	for _, r := range a.op.Resources {
		kind := a.kindOf(r)
		r.Watch = watch(r, kind)
		var edited []string // members of the object; "" for all of it
		for _, h := range r.Handlers {
			if h.Func.Result != nil && !h.Func.IntoStatus && !h.ResultNone {
				if _, open := h.Func.Result.Underlying().(*types.Interface); open {
					r.FreeStatus = true
				} else {
					r.Results = append(r.Results, model.Result{Key: resultKey(h), Type: h.Func.Result, Pos: h.Pos})
				}
			}
			for _, p := range h.Func.Params {
				if p.Kind == model.ParamEdit {
					part := ""
					if len(p.Part.Path) > 0 {
						part = p.Part.Path[0]
					}
					edited = append(edited, part)
				}
			}
		}
		r.FreeStatus = r.FreeStatus || a.executes(r)
		if kind != nil && len(edited) > 0 {
			if slices.Contains(edited, "") {
				edited = nil
			}
			r.ListMapKeys = a.catalog.ListMapKeys(kind, edited)
		}
	}
}

// watch is the plan of one resource; kind, which says what fields can be selected by, may be nil.
func watch(r *model.Resource, kind *schema.Kind) model.Watch {
	var w model.Watch
	for _, h := range r.Handlers {
		w.Finalizer = w.Finalizer || h.On.Has(model.OnDelete) && !h.Optional || h.On.Has(model.OnDaemon)
		w.Base = w.Base || h.On.Has(model.OnCreate|model.OnUpdate|model.OnResume|model.OnField)
		switch {
		case len(h.Field) == 0 || essential(h.Field):
		case h.On.Has(model.OnChange):
			w.Extra = addPath(w.Extra, h.Field)
		default:
			w.Reads = addPath(w.Reads, h.Field) // the field decides whether the handler is for the object, and is no change by itself
		}
		for _, f := range lookers(h) {
			for _, path := range reads(f) {
				w.Reads = addPath(w.Reads, path)
			}
		}
	}
	slices.SortFunc(w.Extra, slices.Compare)
	slices.SortFunc(w.Reads, slices.Compare)
	w.Labels, w.Fields = selection(r, kind)
	return w
}

// lookers are the functions of a handler that have to see every change of what they read: filters, index functions, and what runs beside an
// object, where calls are not made because of changes and yet want the newest state. Handlers of changes are only called for changes of the
// essence, and handlers of events see all.
func lookers(h *model.Handler) []*model.Func {
	var all []*model.Func
	if h.When != nil {
		all = append(all, h.When)
	}
	if h.On.Has(model.OnIndex | model.OnDaemon | model.OnTimer) {
		all = append(all, &h.Func)
	}
	return all
}

// addPath adds a path to a list in which no path contains another, and keeps it so.
func addPath(paths [][]string, path []string) [][]string {
	if slices.ContainsFunc(paths, func(p []string) bool { return within(path, p) }) {
		return paths
	}
	return append(slices.DeleteFunc(paths, func(p []string) bool { return within(p, path) }), path)
}

func within(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// essential reports whether a field is in the essence of an object, the part that Kopf compares and stores: everything but the metadata and
// the status, plus labels and annotations, except the annotations of kubectl and of Kopf itself.
func essential(path []string) bool {
	switch path[0] {
	case "apiVersion", "kind", "status":
		return false
	case "metadata":
	default:
		return true
	}
	if len(path) == 1 || path[1] != "labels" && path[1] != "annotations" {
		return false
	}
	if path[1] == "annotations" && len(path) > 2 {
		domain, _, _ := strings.Cut(path[2], "/")
		return path[2] != "kubectl.kubernetes.io/last-applied-configuration" && domain != annotation.KopfPrefix && !strings.HasSuffix(domain, "."+annotation.KopfPrefix)
	}
	return true
}

// reads lists the fields outside the essence that a function reads, without those that never change.
func reads(f *model.Func) [][]string {
	var all [][]string
	var visit func(*model.Param)
	visit = func(p *model.Param) {
		switch p.Kind {
		case model.ParamRaw:
			all = append(all, nil)
		case model.ParamPart, model.ParamEdit, model.ParamLive:
			if len(p.Part.Path) == 0 {
				all = append(all, nil)
			} else if !essential(p.Part.Path) && !fixed(p.Part.Path) {
				all = append(all, p.Part.Path)
			}
		case model.ParamAnnotation:
			if path := []string{"metadata", "annotations", p.Key}; !essential(path) {
				all = append(all, path)
			}
		}
		for _, field := range p.Fields {
			visit(field)
		}
	}
	for _, p := range f.Params {
		visit(p)
	}
	return all
}

// fixed reports whether a field keeps its value as long as the object exists.
func fixed(path []string) bool {
	if len(path) == 1 {
		return path[0] == "apiVersion" || path[0] == "kind"
	}
	return path[0] == "metadata" && slices.Contains([]string{"name", "namespace", "uid", "creationTimestamp", "generateName"}, path[1])
}
