package edit

import (
	"slices"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// differ makes merge patches, and gathers the edits of lists on the way.
type differ struct {
	raw   []byte
	root  map[string]any // raw, decoded when the first list asks for it
	err   error          // of decoding raw
	lists []List
}

// object returns the merge patch from one object to the other. Null counts as absent: a merge patch cannot tell them apart.
func (d *differ) object(path []string, keys *keyTree, before, after map[string]any) map[string]any {
	patch := map[string]any{}
	for _, name := range tree.Names(before, after) {
		below := append(slices.Clip(path), name)
		if v, changed := d.member(below, keys.step(name), before[name], after[name]); changed {
			patch[name] = v
		}
	}
	return patch
}

// member returns what a merge patch says of one member, and whether it says anything.
func (d *differ) member(path []string, keys *keyTree, before, after any) (any, bool) {
	switch after := after.(type) {
	case map[string]any:
		// A new object is compared with an empty one rather than set, so that unknown members in its place stay.
		if was, ok := before.(map[string]any); ok || before == nil {
			patch := d.object(path, keys, was, after)
			return patch, len(patch) > 0 || before == nil
		}
	case []any:
		if was, ok := before.([]any); ok || before == nil {
			if ok && tree.Equal(was, after) {
				return nil, false
			}
			return d.list(path, keys, was, after, false), true
		}
	case nil:
		if was, ok := before.([]any); ok {
			return d.list(path, keys, was, nil, true), true
		}
	}
	return after, !tree.Equal(before, after)
}

// list records an edit of a list and returns what the list is to be; nil if it is to be removed.
func (d *differ) list(path []string, keys *keyTree, before, after []any, gone bool) any {
	if d.root == nil && d.err == nil {
		d.root, d.err = tree.DecodeObject(d.raw)
	}
	current, _ := tree.Get(d.root, path...)
	raw, _ := current.([]any)
	l := List{Path: path, keys: keys, raw: raw, before: before, after: after, gone: gone}
	d.lists = append(d.lists, l)
	return l.Apply(current)
}
