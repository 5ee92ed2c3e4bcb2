package apitest

import (
	"slices"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// patched applies a patch to an object.
func (s *Server) patched(r request, resource served, subresource string, current map[string]any) (map[string]any, error) {
	before, err := tree.Encode(current)
	if err != nil {
		return nil, err
	}
	var after []byte
	switch r.contentType {
	case applyPatch:
		return s.applied(r, resource, subresource, current)
	case "application/json-patch+json":
		ops, err := jsonpatch.DecodePatch(r.body)
		if err != nil {
			return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
		}
		if after, err = ops.Apply(before); err != nil {
			return nil, refuse(422, metav1.StatusReasonInvalid, "", "%v", err)
		}
	case strategicPatch:
		if s.Types == nil || !resource.builtIn {
			return nil, refuse(415, metav1.StatusReasonUnsupportedMediaType, "", "the body of the request was in an unknown format: %s", strategicPatch)
		}
		if after, err = s.Types.Merged(resource.kind(), before, r.body); err != nil {
			return nil, refuse(422, metav1.StatusReasonInvalid, "", "%v", err)
		}
	default:
		if after, err = jsonpatch.MergePatch(before, r.body); err != nil {
			return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
		}
	}
	return tree.DecodeObject(after)
}

// change takes a new state of an object, or of its status.
func (s *Server) change(r request, key string, resource served, subresource string, object map[string]any) (map[string]any, error) {
	current := s.objects[key]
	before := resource.view(current)
	was := tree.Object(before, "metadata")
	if v := tree.String(object, "metadata", "resourceVersion"); v != "" && v != was["resourceVersion"] {
		return nil, refuse(409, metav1.StatusReasonConflict, "", "the object has been modified; please apply your changes to the latest version and try again")
	}
	if k := tree.String(object, "kind"); k != resource.Kind || tree.String(object, "apiVersion") != resource.APIVersion() {
		return nil, refuse(400, metav1.StatusReasonBadRequest, "", "the object is of another kind: %s", k)
	}
	if subresource == "status" {
		owners, _ := tree.Get(object, "metadata", "managedFields")
		if object = with(before, "status", object["status"]); r.contentType == applyPatch {
			tree.Set(object, owners, "metadata", "managedFields")
		}
	} else if resource.HasStatus {
		object = with(object, "status", before["status"])
	}
	if err := restore(object, was); err != nil {
		return nil, err
	}
	deleting := was["deletionTimestamp"] != nil
	if deleting {
		for _, f := range finalizers(object) {
			if !slices.Contains(finalizers(current), f) {
				return nil, refuse(422, metav1.StatusReasonInvalid, "metadata.finalizers", "no new finalizers can be added if the object is being deleted")
			}
		}
	}
	if err := s.complete(resource, object); err != nil {
		return nil, err
	}
	if err := resource.refuses(object); err != nil {
		return nil, err
	}
	object, err := s.owned(r, resource, subresource, before, object)
	if err != nil {
		return nil, err
	}
	if object = resource.keep(object); tree.Equal(object, current) {
		return before, nil
	}
	meta := tree.Object(object, "metadata")
	if resource.generations() && !sameWish(object, current, resource.HasStatus) {
		meta["generation"] = meta["generation"].(int64) + 1
	}
	if deleting && len(finalizers(object)) == 0 {
		s.remove(key, current)
		return resource.view(object), nil
	}
	return resource.view(s.store(Modified, key, object)), nil
}

// sameWish tells whether two states are of one generation: nothing but metadata differs, or, where it has a sub-resource, the status.
func sameWish(a, b map[string]any, hasStatus bool) bool {
	for _, object := range []map[string]any{a, b} {
		for name := range object {
			if name == "metadata" || name == "apiVersion" || name == "status" && hasStatus {
				continue
			}
			if !tree.Equal(a[name], b[name]) {
				return false
			}
		}
	}
	return true
}

// restore gives an object back what only the server writes, and refuses changes of what identifies it.
func restore(object, was map[string]any) error {
	meta, ok := object["metadata"].(map[string]any)
	if !ok {
		meta = map[string]any{}
		object["metadata"] = meta
	}
	for _, name := range []string{"name", "namespace", "uid", "deletionTimestamp"} {
		if is, ok := meta[name]; ok && is != nil && is != was[name] {
			return refuse(422, metav1.StatusReasonInvalid, "metadata."+name, "metadata.%s: Invalid value: field is immutable", name)
		}
	}
	for _, name := range []string{
		"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "resourceVersion",
	} {
		delete(meta, name)
		if v, ok := was[name]; ok {
			meta[name] = v
		}
	}
	for _, name := range []string{"finalizers", "ownerReferences"} {
		if list, ok := meta[name].([]any); ok && len(list) == 0 {
			delete(meta, name)
		}
	}
	for _, name := range []string{"labels", "annotations"} {
		if members, ok := meta[name].(map[string]any); ok && len(members) == 0 {
			delete(meta, name)
		}
	}
	return nil
}

// with returns a copy of an object with another value, or without one, if that is nil.
func with(object map[string]any, name string, value any) map[string]any {
	out := tree.Copy(object).(map[string]any)
	if value == nil {
		delete(out, name)
	} else {
		out[name] = tree.Copy(value)
	}
	return out
}

func finalizers(object map[string]any) []string {
	value, _ := tree.Get(object, "metadata", "finalizers")
	list, _ := value.([]any)
	var out []string
	for _, v := range list {
		f, _ := v.(string)
		out = append(out, f)
	}
	return out
}
