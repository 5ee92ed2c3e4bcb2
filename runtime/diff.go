package kopf

import (
	"fmt"
	"slices"
	"strings"
)

// Op is what happened to one value.
type Op string

// The three operations of a [Change]; a null counts as absence.
const (
	OpAdd    Op = "add"
	OpChange Op = "change"
	OpRemove Op = "remove"
)

// Change is one difference between two states of an object.
type Change struct {
	Op Op
	// Path leads to the value from the root of what is compared: the object, or the handler's field. It is empty for the root itself.
	Path []string
	// Old and New are the value before and after; nil where there is none.
	Old, New Raw
}

// String renders the change for logs.
func (c Change) String() string {
	path := strings.Join(c.Path, ".")
	switch c.Op {
	case OpAdd:
		return fmt.Sprintf("+ %s: %s", path, c.New)
	case OpRemove:
		return fmt.Sprintf("- %s: %s", path, c.Old)
	}
	return fmt.Sprintf("~ %s: %s -> %s", path, c.Old, c.New)
}

// Diff lists what differs between the state that was handled last and the current one. Objects are compared member by member, lists as a
// whole.
type Diff []Change

// Touches tells whether the value at path, something inside it or something around it has changed.
func (d Diff) Touches(path ...string) bool {
	return slices.ContainsFunc(d, func(c Change) bool { return within(c.Path, path) || within(path, c.Path) })
}

// Only returns the changes at path and inside it.
func (d Diff) Only(path ...string) Diff {
	return d.filter(func(c Change) bool { return within(c.Path, path) })
}

// Without returns the changes that are neither at path nor inside it.
func (d Diff) Without(path ...string) Diff {
	return d.filter(func(c Change) bool { return !within(c.Path, path) })
}

func (d Diff) filter(keep func(Change) bool) Diff {
	var out Diff
	for _, c := range d {
		if keep(c) {
			out = append(out, c)
		}
	}
	return out
}

// within tells whether path starts with prefix.
func within(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}
