// Package patch writes to objects: everything that one round of handling wants changed in one object, in as few requests as possible, each
// naming the object it is meant for. It stands at the end of the way of an event: package reactor makes a Plan of a round and has it sent.
//
// A Plan gathers the changes: results and progress as merge patches, edits of typed copies from package edit, finalizers, and functions.
// Send compares it with the newest state and sends what would change something: a merge patch of the object, one of its status, and a JSON
// patch where a finalizer is added or removed or a function ran. What it returns tells the engine the newest state, and what is still to be
// written.
package patch

import (
	"slices"

	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Plan is what is to be written to one object. The zero value is empty and ready to use.
type Plan struct {
	// Object and Status are merge patches without preconditions. Both are rooted at the object: the status is under its key.
	Object, Status map[string]any
	// Versioned and StatusVersioned tell that the patch holds for the version of the newest state only, since it replaces lists.
	Versioned, StatusVersioned bool
	// Lists are edits of lists. They are made on the newest state when the plan is sent, and take the place of what the merge patches say.
	Lists []edit.List
	// AddFinalizers and RemoveFinalizers are the operator's own and the author's.
	AddFinalizers, RemoveFinalizers []string
	// Funcs edit the object as it is when it is written, after everything else, and are called again if that was not the newest state.
	Funcs []func(object map[string]any) error
}

// Empty tells whether there is nothing to write.
func (p *Plan) Empty() bool {
	return p == nil || len(p.Object) == 0 && len(p.Status) == 0 && len(p.AddFinalizers) == 0 && len(p.RemoveFinalizers) == 0 && len(p.Funcs) == 0
}

// Add adds what a handler edited.
func (p *Plan) Add(c edit.Change) {
	p.Append(&Plan{
		Object: c.Object, Status: c.Status, Versioned: c.Versioned, StatusVersioned: c.StatusVersioned, Lists: c.Lists,
		AddFinalizers: c.AddFinalizers, RemoveFinalizers: c.RemoveFinalizers,
	})
}

// AddMerge lays a merge patch over what is planned, which it overrides. The status in it goes where the status is written.
func (p *Plan) AddMerge(doc map[string]any) {
	var object, status map[string]any
	for name, value := range doc {
		part := &object
		if name == "status" {
			part = &status
		}
		if *part == nil {
			*part = map[string]any{}
		}
		(*part)[name] = value
	}
	p.Append(&Plan{Object: object, Status: status})
}

// Append adds a later plan, which overrides this one; nil adds nothing.
func (p *Plan) Append(later *Plan) {
	if later == nil {
		return
	}
	p.Lists = slices.DeleteFunc(slices.Clone(p.Lists), func(l edit.List) bool {
		again := slices.ContainsFunc(later.Lists, func(other edit.List) bool { return slices.Equal(l.Path, other.Path) })
		return !again && (overrides(later.Object, l.Path) || overrides(later.Status, l.Path))
	})
	p.Lists = append(p.Lists, later.Lists...)
	p.Object = overlay(p.Object, later.Object)
	p.Status = overlay(p.Status, later.Status)
	p.Versioned = p.Versioned || later.Versioned
	p.StatusVersioned = p.StatusVersioned || later.StatusVersioned
	for _, f := range later.AddFinalizers {
		p.RemoveFinalizers = without(p.RemoveFinalizers, f)
		p.AddFinalizers = append(without(p.AddFinalizers, f), f)
	}
	for _, f := range later.RemoveFinalizers {
		p.AddFinalizers = without(p.AddFinalizers, f)
		p.RemoveFinalizers = append(without(p.RemoveFinalizers, f), f)
	}
	p.Funcs = append(slices.Clip(p.Funcs), later.Funcs...)
}

// overrides tells whether a merge patch replaces or removes what is at path.
func overrides(doc map[string]any, path []string) bool {
	for _, name := range path {
		value, ok := doc[name]
		if !ok {
			return false
		}
		if doc, ok = value.(map[string]any); !ok {
			return true
		}
	}
	return true
}

func overlay(below, above map[string]any) map[string]any {
	if len(above) == 0 {
		return below
	}
	out, _ := tree.Copy(below).(map[string]any)
	if out == nil {
		out = map[string]any{}
	}
	tree.Overlay(out, above)
	return out
}

func without(list []string, s string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(other string) bool { return other == s })
}
