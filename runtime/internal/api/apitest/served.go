package apitest

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

// served is a resource in one of its versions.
type served struct {
	api.Resource
	// stored is the root of the version in which objects are kept.
	stored api.Resource
	// schema is nil for a resource without a definition, which keeps everything.
	schema *schema
	// selectable are the paths of the fields that selectors may name, besides name and namespace.
	selectable [][]string
	// builtIn tells that this is a resource of Kubernetes itself.
	builtIn bool
	// convert brings an object from one of two versions to the other; nil is without conversion.
	convert func(object map[string]any, stored bool) map[string]any
	// check refuses objects of a built-in kind.
	check func(object map[string]any) (field, message string)
	// versioned tells that updates have to name a version.
	versioned bool
}

func (s *Server) serve(r served) {
	s.catalog.Lock()
	defer s.catalog.Unlock()
	s.resources = append(slices.Clone(s.resources), r)
}

// known tells whether a resource is one of Kubernetes itself.
func known(r api.Resource) bool {
	return !strings.Contains(r.Group, ".") || strings.HasSuffix(r.Group, ".k8s.io")
}

// all returns what is served now.
func (s *Server) all() []served {
	s.catalog.RLock()
	defer s.catalog.RUnlock()
	return s.resources
}

// find tells which resource a path is of, and whether it is that of a collection.
func (s *Server) find(path string) (resource served, collection, ok bool) {
	for _, r := range s.all() {
		rest, ok := strings.CutPrefix(path, r.Root()+"/")
		if !ok {
			continue
		}
		parts := strings.Split(rest, "/")
		if r.Namespaced && len(parts) > 2 && parts[0] == "namespaces" {
			parts = parts[2:]
		} else if r.Kind == "Namespace" && len(parts) > 2 && parts[2] != "status" {
			continue // of something in a namespace
		}
		if parts[0] == r.Plural {
			return r, len(parts) == 1, true
		}
	}
	return served{}, false, false
}

// split parts the path of an object from its sub-resource.
func (r served) split(path string) (object, subresource string) {
	object, last, _ := cutLast(path)
	parts := strings.Split(strings.TrimPrefix(path, r.Root()+"/"), "/")
	if r.Namespaced && parts[0] == "namespaces" {
		parts = parts[2:]
	}
	if len(parts) > 2 {
		return object, last
	}
	return path, ""
}

func cutLast(path string) (before, last string, found bool) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:], i >= 0
}

// namespace returns the namespace of a path, or nothing.
func (r served) namespace(path string) string {
	rest, ok := strings.CutPrefix(path, r.Root()+"/namespaces/")
	if !ok || !r.Namespaced {
		return ""
	}
	namespace, _, _ := strings.Cut(rest, "/")
	return namespace
}

// key returns the path under which an object is kept, whatever the version by which it is asked for.
func (r served) key(path string) string {
	return r.stored.Root() + strings.TrimPrefix(path, r.Root())
}

// view returns an object in the version of the resource: as without conversion, what its schema does not have is not there.
func (r served) view(object map[string]any) map[string]any {
	if r.APIVersion() == r.stored.APIVersion() {
		return object
	}
	object = with(object, "apiVersion", r.APIVersion())
	if r.convert != nil {
		object = r.convert(object, false)
	}
	if r.schema != nil {
		r.schema.complete(object)
	}
	return object
}

// keep returns an object of the resource in the version that is stored.
func (r served) keep(object map[string]any) map[string]any {
	if r.APIVersion() == r.stored.APIVersion() {
		return object
	}
	object = with(object, "apiVersion", r.stored.APIVersion())
	if r.convert != nil {
		object = r.convert(object, true)
	}
	return object
}

// refuses is the validation of built-in kinds.
func (r served) refuses(object map[string]any) error {
	if r.check == nil {
		return nil
	}
	if field, message := r.check(object); field != "" {
		return refuse(422, metav1.StatusReasonInvalid, field, "%s: %s", field, message)
	}
	return nil
}

// within tells whether an object of the resource is in a collection, which may be that of one namespace or of all.
func (r served) within(key, collection string) bool {
	rest, ok := strings.CutPrefix(key, r.stored.Root()+"/")
	if !ok {
		return false
	}
	parts, namespace := strings.Split(rest, "/"), ""
	if r.Namespaced && len(parts) == 4 {
		namespace, parts = parts[1], parts[2:]
	}
	if len(parts) != 2 || parts[0] != r.Plural || r.Namespaced != (namespace != "") {
		return false
	}
	wanted := r.namespace(collection)
	return wanted == "" || wanted == namespace
}

// generations tells whether objects of the resource have a generation, as most built-in kinds have none.
func (r served) generations() bool {
	return !r.builtIn || r.HasStatus && r.Kind != "Namespace" && r.Kind != "Node"
}
