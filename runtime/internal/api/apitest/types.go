package apitest

import (
	"slices"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Types knows the types of objects, field by field. Package typed has one.
type Types interface {
	// Updated returns the object after a write with its managedFields, given what it was before. Before is nil for a new object.
	Updated(kind Kind, subresource string, before, after map[string]any, manager string) (map[string]any, error)
	// Applied merges an apply patch into an object, which may be nil. A conflict is an error with a status.
	Applied(kind Kind, subresource string, before, patch map[string]any, manager string, force bool) (map[string]any, error)
	// Merged merges a strategic merge patch into the text of an object.
	Merged(kind Kind, before, patch []byte) ([]byte, error)
}

// Kind is a kind of objects whose fields have types.
type Kind struct {
	GVK       runtimeschema.GroupVersionKind
	HasStatus bool
	// Schema is nil for built-in kinds, and for those that have none.
	Schema *structural.Structural
}

func (r served) kind() Kind {
	k := Kind{GVK: runtimeschema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}, HasStatus: r.HasStatus}
	if r.schema != nil {
		k.Schema = r.schema.root
	}
	return k
}

const (
	applyPatch     = "application/apply-patch+yaml"
	strategicPatch = "application/strategic-merge-patch+json"
)

// manager names who makes a request, as managedFields has it.
func (r request) manager() string {
	if name := r.query.Get("fieldManager"); name != "" {
		return name
	}
	name, _, _ := strings.Cut(r.agent, "/")
	return name
}

// applied merges an apply patch into an object, nil if it is to be created.
func (s *Server) applied(r request, resource served, subresource string, current map[string]any) (map[string]any, error) {
	if s.Types == nil {
		return nil, refuse(415, metav1.StatusReasonUnsupportedMediaType, "", "this server knows no patches of the type %s", applyPatch)
	}
	if r.query.Get("fieldManager") == "" {
		return nil, refuse(422, metav1.StatusReasonInvalid, "fieldManager", "fieldManager: Required value: is required for apply patch")
	}
	body, err := yaml.YAMLToJSON(r.body)
	if err != nil {
		return nil, refuse(400, metav1.StatusReasonBadRequest, "", "error decoding YAML: %v", err)
	}
	patch, err := tree.DecodeObject(body)
	if err != nil {
		return nil, refuse(400, metav1.StatusReasonBadRequest, "", "error decoding YAML: %v", err)
	}
	if _, managed := tree.Get(patch, "metadata", "managedFields"); managed {
		return nil, refuse(400, metav1.StatusReasonBadRequest, "", "metadata.managedFields must be nil")
	}
	if uid := tree.String(patch, "metadata", "uid"); current == nil && uid != "" {
		return nil, refuse(409, metav1.StatusReasonConflict, "", "uid mismatch: the provided object specified uid %s, and no existing object was found", uid)
	}
	return s.Types.Applied(resource.kind(), subresource, current, patch, r.manager(), r.query.Get("force") == "true")
}

// owned gives an object after a write the managedFields that it has then. One whose owners merely wrote again what they own is as it was.
func (s *Server) owned(r request, resource served, subresource string, before, after map[string]any) (map[string]any, error) {
	if s.Types == nil {
		return after, nil
	}
	if r.contentType != applyPatch {
		var err error
		if after, err = s.Types.Updated(resource.kind(), subresource, before, after, r.manager()); err != nil {
			return nil, err
		}
	}
	if before != nil && tree.Equal(untimed(before), untimed(after)) {
		return before, nil
	}
	return after, nil
}

// untimed returns an object without the times at which its owners wrote.
func untimed(object map[string]any) map[string]any {
	owners, _ := tree.Get(object, "metadata", "managedFields")
	list, _ := owners.([]any)
	list = slices.Clone(list)
	for i, entry := range list {
		if members, ok := entry.(map[string]any); ok {
			list[i] = with(members, "time", nil)
		}
	}
	if list == nil {
		return object
	}
	return with(object, "metadata", with(tree.Object(object, "metadata"), "managedFields", list))
}
