package apitest

import (
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

func (s *Server) patch(path string, resource api.Resource, status bool, kind string, body []byte) (any, error) {
	current := s.objects[path]
	object, err := apply(current, kind, body)
	if err != nil {
		return nil, err
	}
	if v := tree.String(object, "metadata", "resourceVersion"); v != "" && v != tree.String(current, "metadata", "resourceVersion") {
		return nil, refuse(409, metav1.StatusReasonConflict, "", "the object has been modified")
	}
	if status {
		object = with(current, "status", object["status"])
	} else if resource.HasStatus {
		object = with(object, "status", current["status"])
	}
	meta := tree.Object(object, "metadata")
	if uid := tree.Object(current, "metadata")["uid"]; meta["uid"] != uid {
		return nil, refuse(422, metav1.StatusReasonInvalid, "metadata.uid", "metadata.uid: Invalid value: field is immutable")
	}
	for _, name := range []string{"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "resourceVersion"} {
		restore(meta, name, tree.Object(current, "metadata"))
	}
	if list, ok := meta["finalizers"].([]any); ok && len(list) == 0 {
		delete(meta, "finalizers")
	}
	deleting := tree.String(meta, "deletionTimestamp") != ""
	if deleting {
		for _, f := range finalizers(object) {
			if !slices.Contains(finalizers(current), f) {
				return nil, refuse(422, metav1.StatusReasonInvalid, "metadata.finalizers", "no new finalizers can be added")
			}
		}
	}
	if s.Validate != nil {
		if field, message := s.Validate(object); field != "" {
			return nil, refuse(422, metav1.StatusReasonInvalid, field, "%s: %s", field, message)
		}
	}
	if known := tree.Object(object, "status"); resource.HasStatus && known != nil {
		object = with(object, "status", s.prune(known))
	}
	if tree.Equal(object, current) {
		return current, nil
	}
	if !tree.Equal(object["spec"], current["spec"]) {
		meta["generation"] = meta["generation"].(int64) + 1
	}
	if deleting && len(finalizers(object)) == 0 {
		s.remove(path, current)
		return object, nil
	}
	s.store(Modified, path, object)
	return object, nil
}

func apply(current map[string]any, kind string, body []byte) (map[string]any, error) {
	before, err := tree.Encode(current)
	if err != nil {
		return nil, err
	}
	var after []byte
	if strings.HasPrefix(kind, "application/json-patch") {
		ops, err := jsonpatch.DecodePatch(body)
		if err != nil {
			return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
		}
		if after, err = ops.Apply(before); err != nil {
			return nil, refuse(422, metav1.StatusReasonInvalid, "", "%v", err)
		}
	} else if after, err = jsonpatch.MergePatch(before, body); err != nil {
		return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
	}
	return tree.DecodeObject(after)
}

func with(object map[string]any, name string, value any) map[string]any {
	out := tree.Copy(object).(map[string]any)
	if value == nil {
		delete(out, name)
	} else {
		out[name] = tree.Copy(value)
	}
	return out
}

func restore(meta map[string]any, name string, from map[string]any) {
	delete(meta, name)
	if v, ok := from[name]; ok {
		meta[name] = v
	}
}

func (s *Server) prune(status map[string]any) map[string]any {
	if s.KnownStatus == nil {
		return status
	}
	out := map[string]any{}
	for name, v := range status {
		if slices.Contains(s.KnownStatus, name) {
			out[name] = v
		}
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
