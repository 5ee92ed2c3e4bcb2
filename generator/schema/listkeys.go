package schema

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

// ListMapKeys finds, below the members of the kind that are named (all if none), the lists whose elements are identified by members of their
// own: by +listMapKey in the author's packages, by the tag patchMergeKey in the types of Kubernetes. The keys of the result are dotted JSON
// paths, to which the elements of lists add nothing and the keys of maps a "*".
func (c *Catalog) ListMapKeys(k *Kind, members []string) map[string][]string {
	if k.Type == nil {
		return nil
	}
	w := keyWalk{catalog: c, found: map[string][]string{}, within: map[types.Type]bool{}}
	for _, f := range Fields(k.Type) {
		// The lists of the metadata are not merged: owner references are replaced, and finalizers are plain strings.
		if f.JSON != "metadata" && (len(members) == 0 || slices.Contains(members, f.JSON)) {
			w.field(nil, f)
		}
	}
	return maps.Clone(w.found)
}

type keyWalk struct {
	catalog *Catalog
	found   map[string][]string
	within  map[types.Type]bool // the types on the current path, so that recursive types are followed once
}

func (w *keyWalk) field(path []string, f Field) {
	path = append(slices.Clone(path), f.JSON)
	elem, _ := Deref(f.Type())
	if _, list := elem.Underlying().(*types.Slice); list {
		if keys := w.keys(f); len(keys) > 0 {
			w.found[strings.Join(path, ".")] = keys
		}
	}
	w.walk(path, elem)
}

func (w *keyWalk) keys(f Field) []string {
	var keys []string
	for _, line := range w.catalog.fieldMarkers(f.Var()) {
		if key, ok := strings.CutPrefix(line, "+listMapKey="); ok {
			keys = append(keys, unquoted(key))
		}
	}
	if key := f.Tag.Get("patchMergeKey"); key != "" && len(keys) == 0 {
		keys = []string{key}
	}
	return keys
}

func (w *keyWalk) walk(path []string, t types.Type) {
	t, _ = Deref(t)
	if w.within[t] || DecodesItself(t) {
		return
	}
	w.within[t] = true
	defer delete(w.within, t)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for _, f := range Fields(t) {
			w.field(path, f)
		}
	case *types.Slice:
		w.walk(path, u.Elem())
	case *types.Array:
		w.walk(path, u.Elem())
	case *types.Map:
		w.walk(append(slices.Clone(path), "*"), u.Elem())
	}
}
