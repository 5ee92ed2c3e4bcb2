package patch

import (
	"slices"

	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// composeObject returns the merge patch of the object for a state, without preconditions; nil if the plan has none.
func (p *Plan) composeObject(state map[string]any) map[string]any {
	return p.compose(p.Object, false, state)
}

// composeStatus is composeObject for the status.
func (p *Plan) composeStatus(state map[string]any) map[string]any {
	return p.compose(p.Status, true, state)
}

func (p *Plan) compose(doc map[string]any, status bool, state map[string]any) map[string]any {
	if len(doc) == 0 {
		return nil
	}
	doc = tree.Copy(doc).(map[string]any)
	made := map[string]any{} // objects lead to all lists, so that the lists made so far can be kept as a tree
	for _, l := range p.Lists {
		if l.InStatus() != status {
			continue
		}
		current, again := tree.Get(made, l.Path...)
		if !again {
			current, _ = tree.Get(state, l.Path...)
		}
		list := l.Apply(current)
		tree.Set(made, list, l.Path...)
		tree.Set(doc, list, l.Path...)
	}
	return doc
}

// trim returns a merge patch without the removals of what a state does not have; they would leave empty objects behind.
func trim(state any, doc map[string]any) map[string]any {
	object, _ := state.(map[string]any)
	out := make(map[string]any, len(doc))
	for name, value := range doc {
		was, there := object[name]
		if below, ok := value.(map[string]any); ok {
			if kept := trim(was, below); len(kept) > 0 || len(below) == 0 {
				out[name] = kept
			}
		} else if value != nil || there {
			out[name] = value
		}
	}
	return out
}

// changes tells whether a merge patch that was trimmed for a state would change it.
func changes(state any, doc map[string]any) bool {
	object, ok := state.(map[string]any)
	if !ok {
		return true
	}
	for name, value := range doc {
		if below, ok := value.(map[string]any); ok {
			if changes(object[name], below) {
				return true
			}
		} else if !tree.Equal(object[name], value) || value == nil {
			return true
		}
	}
	return false
}

// dropObject forgets the merge patch of the object.
func (p *Plan) dropObject() {
	p.Object, p.Versioned = nil, false
	p.Lists = slices.DeleteFunc(slices.Clone(p.Lists), func(l edit.List) bool { return !l.InStatus() })
}

// dropStatus forgets the merge patch of the status.
func (p *Plan) dropStatus() {
	p.Status, p.StatusVersioned = nil, false
	p.Lists = slices.DeleteFunc(slices.Clone(p.Lists), edit.List.InStatus)
}

// dropTested forgets finalizers and functions.
func (p *Plan) dropTested() { p.AddFinalizers, p.RemoveFinalizers, p.Funcs = nil, nil, nil }
