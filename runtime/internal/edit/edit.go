// Package edit finds out what a handler changed in the typed copies it was given. Package handling asks it after each call, and package
// patch sends the outcome.
//
// A handler edits a *T, *Status or *ObjectMeta. The copy is marshalled before and after the call, and only the difference of these two is
// written. So what Go does not know (fields of a newer CRD) is in neither, and what Go respells (quantities, times, zero values) is the
// same in both. The object as the API server sent it is consulted for lists only: a merge patch replaces a list as a whole, so the list is
// rebuilt from the elements as they were read.
package edit

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Edit is one typed copy around one call.
type Edit struct {
	// Before and After are the copy, marshalled before and after the call.
	Before, After []byte
	// Keys names, by the dotted JSON path of a list, the members that identify its elements, as +listMapKey says. List elements add nothing
	// to a path ("spec.containers.ports"), and "*" stands for any member, as for the keys of a map.
	Keys map[string][]string
	// Parts names the top-level members that count; what was scribbled elsewhere is dropped. None means all.
	Parts []string
	// Prefix is the domain of the annotations that the operator itself writes; handlers must leave these alone. "" is none.
	Prefix string
}

// Change is what to write for an edit.
type Change struct {
	// Object and Status are merge patches; nil is nothing. The status is under its key, as in the object.
	Object, Status map[string]any
	// Versioned and StatusVersioned tell that the patch replaces lists, and so holds for the version of the object it was made from only.
	Versioned, StatusVersioned bool
	// Lists are the edits of lists, by which the same change can be made to a newer state. Their outcome for the state at hand is in the
	// patches.
	Lists []List
	// AddFinalizers and RemoveFinalizers are not in the patches: others write this list too, and a merge patch would replace it.
	AddFinalizers, RemoveFinalizers []string
}

// Empty tells whether there is nothing to write.
func (c Change) Empty() bool {
	return len(c.Object) == 0 && len(c.Status) == 0 && len(c.AddFinalizers) == 0 && len(c.RemoveFinalizers) == 0
}

// Diff compares the copy before and after the call. Raw is the object that the copy was decoded from. A change that the API server would
// refuse or ignore, or that would break the operator's own records, is a *RefusedError; nothing of the edit is to be written then.
func Diff(raw []byte, e Edit) (Change, error) {
	if bytes.Equal(e.Before, e.After) {
		return Change{}, nil
	}
	before, err := tree.DecodeObject(e.Before)
	if err != nil {
		return Change{}, fmt.Errorf("the copy before the call: %w", err)
	}
	after, err := tree.DecodeObject(e.After)
	if err != nil {
		return Change{}, fmt.Errorf("the copy after the call: %w", err)
	}

	d := differ{raw: raw}
	keys := newKeys(e.Keys)
	var c Change
	var refused []string
	for _, name := range tree.Names(before, after) {
		if len(e.Parts) > 0 && !slices.Contains(e.Parts, name) {
			continue
		}
		switch name {
		case "apiVersion", "kind":
			if !tree.Equal(before[name], after[name]) {
				refused = append(refused, name)
			}
		case "metadata":
			refused = append(refused, d.metadata(&c, keys.step(name), before[name], after[name], e.Prefix)...)
		default:
			if v, changed := d.member([]string{name}, keys.step(name), before[name], after[name]); changed {
				c.put(name, v)
			}
		}
	}
	if len(refused) > 0 {
		return Change{}, &RefusedError{Fields: refused}
	}
	if d.err != nil {
		return Change{}, fmt.Errorf("the object as it was read: %w", d.err)
	}
	c.Lists = d.lists
	for _, l := range d.lists {
		if l.InStatus() {
			c.StatusVersioned = true
		} else {
			c.Versioned = true
		}
	}
	return c, nil
}

// put adds a top-level member to the patch that it belongs to.
func (c *Change) put(name string, value any) {
	doc := &c.Object
	if name == "status" {
		doc = &c.Status
	}
	if *doc == nil {
		*doc = map[string]any{}
	}
	(*doc)[name] = value
}
