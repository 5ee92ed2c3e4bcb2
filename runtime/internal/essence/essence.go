// Package essence cuts an object down to what its authors want, as opposed to what programs keep in it: what handlers compare, and what
// is remembered as handled last. The rules are Kopf's, so that an object that a Kopf operator has handled does not count as changed. Package
// skim, which hashes objects without decoding them, follows the same rules.
package essence

import (
	"maps"

	"github.com/kopfgen/kopfgen/internal/annotation"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Rules say what is essential for one resource of an operator. The zero value is right for operators that keep Kopf's prefix and have no
// handlers of fields outside of the essence.
type Rules struct {
	// Prefix is that of the operator's own annotations; empty stands for Kopf's.
	Prefix string
	// Extra are the fields of handlers, as paths from the root of the object; those that lie outside of the essence are added to it:
	// status.phase, metadata.name.
	Extra [][]string
}

// Build returns the essence of an object: all but apiVersion, kind, metadata and status; of the metadata the labels and those annotations
// that are not [Foreign] or the operator's own; and the extra fields. The object is not changed; the essence shares parts with it and must
// not be changed in place either.
func (r Rules) Build(object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for key, value := range object {
		if whole(key) {
			out[key] = value
		}
	}
	metadata := map[string]any{}
	if labels := tree.Object(object, "metadata", "labels"); labels != nil {
		metadata["labels"] = maps.Clone(labels)
	}
	if annotations := tree.Object(object, "metadata", "annotations"); annotations != nil {
		marked := Marked(annotations)
		metadata["annotations"] = without(annotations, func(name string) bool { return Foreign(name, marked) })
	}
	out["metadata"] = metadata
	for _, path := range r.Extra {
		if len(path) == 0 || whole(path[0]) {
			continue
		}
		if value, ok := tree.Get(object, path...); ok {
			tree.Set(out, tree.Copy(value), path...)
		}
	}
	return r.Clean(out)
}

// Clean returns a stored essence without what may have got into it of the operator's own state, and without empty leftovers, so that it
// can be compared with a built one. The argument is not changed; nil, which is an object that was never handled, stays nil.
func (r Rules) Clean(stored map[string]any) map[string]any {
	if stored == nil {
		return nil
	}
	out := maps.Clone(stored)
	if metadata, ok := out["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		if annotations, ok := metadata["annotations"].(map[string]any); ok {
			metadata["annotations"] = without(annotations, r.owns)
		}
		dropEmpty(metadata, "annotations", "labels")
		out["metadata"] = metadata
	}
	if status, ok := out["status"].(map[string]any); ok {
		out["status"] = withoutProgress(status)
	}
	dropEmpty(out, "metadata", "status")
	return out
}

// withoutProgress returns the status without what old versions of Kopf kept there, and without the empty place of it.
func withoutProgress(status map[string]any) map[string]any {
	kept, ok := status["kopf"].(map[string]any)
	if !ok {
		return status
	}
	kept = maps.Clone(kept)
	delete(kept, "progress")
	out := maps.Clone(status)
	out["kopf"] = kept
	dropEmpty(out, "kopf")
	return out
}

// whole tells whether a member of the root is essential as it is, so that nothing inside has to be added.
func whole(member string) bool {
	switch member {
	case "apiVersion", "kind", "metadata", "status":
		return false
	}
	return true
}

func (r Rules) owns(name string) bool {
	own := r.Prefix
	if own == "" {
		own = annotation.KopfPrefix
	}
	prefix, ok := annotation.PrefixOf(name)
	return ok && prefix == own
}

func without(annotations map[string]any, drop func(name string) bool) map[string]any {
	out := make(map[string]any, len(annotations))
	for name, value := range annotations {
		if !drop(name) {
			out[name] = value
		}
	}
	return out
}

// dropEmpty removes, in place, the members that are null or objects without members.
func dropEmpty(object map[string]any, keys ...string) {
	for _, key := range keys {
		m, isObject := object[key].(map[string]any)
		if object[key] == nil || isObject && len(m) == 0 {
			delete(object, key)
		}
	}
}
