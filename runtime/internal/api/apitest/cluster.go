package apitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var namespaces = api.Resource{Version: "v1", Plural: "namespaces", Kind: "Namespace", HasStatus: true}

// GiveNamespaces has namespaces be there from the start. It is for the time before the server is used.
func (s *Server) GiveNamespaces(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		object := map[string]any{}
		tree.Set(object, name, "metadata", "name")
		s.give(served{Resource: namespaces, stored: namespaces, builtIn: true}, object)
	}
}

// give puts an object onto the server as if it had been there from the start: there is no event of it.
func (s *Server) give(r served, object map[string]any) {
	name := tree.String(object, "metadata", "name")
	key := r.Path(tree.String(object, "metadata", "namespace"), name, "")
	object["apiVersion"], object["kind"] = r.APIVersion(), r.Kind
	tree.Set(object, s.named(s.version), "metadata", "resourceVersion")
	tree.Set(object, fmt.Sprintf("00000000-0000-4000-9000-%012d", len(s.given)+1), "metadata", "uid")
	tree.Set(object, timestamp(), "metadata", "creationTimestamp")
	s.begin(r, object)
	s.given[key], s.objects[key] = object, object
}

// begin gives a new object what controllers give it.
func (s *Server) begin(r served, object map[string]any) {
	switch {
	case r.Kind == "Namespace" && r.Group == "":
		tree.Set(object, tree.String(object, "metadata", "name"), "metadata", "labels", "kubernetes.io/metadata.name")
		tree.Set(object, []any{"kubernetes"}, "spec", "finalizers")
		object["status"] = map[string]any{"phase": "Active"}
	case r.Resource == definitions.Resource:
		object["status"] = established(object)
	}
}

// end gives an object that is to be deleted what controllers give it.
func (s *Server) end(r served, object map[string]any) {
	if r.Kind == "Namespace" && r.Group == "" {
		object["status"] = map[string]any{"phase": "Terminating"}
	}
}

// admits refuses new objects in a namespace that is not there, or on its way out.
func (s *Server) admits(namespace string) error {
	if !s.Controlled {
		return nil
	}
	object, ok := s.objects[namespaces.Path("", namespace, "")]
	switch {
	case !ok:
		return refuse(404, metav1.StatusReasonNotFound, "", "namespaces %q not found", namespace)
	case tree.String(object, "metadata", "deletionTimestamp") != "":
		err := refuse(403, metav1.StatusReasonForbidden, "metadata.namespace",
			"unable to create new content in namespace %s because it is being terminated", namespace)
		refusal(err).Details.Causes[0].Type = "NamespaceTerminating"
		return err
	}
	return nil
}

// holds tells whether the deletion of an object waits for others, apart from finalizers.
func (s *Server) holds(r served, object map[string]any) bool {
	return s.Controlled && len(s.held(r, object)) > 0
}

// held returns the keys of the objects that an object takes with it.
func (s *Server) held(r served, object map[string]any) []string {
	name := tree.String(object, "metadata", "name")
	var in func(key string) bool
	switch {
	case r.Kind == "Namespace" && r.Group == "":
		in = func(key string) bool {
			at, _, ok := s.find(key)
			return ok && at.namespace(key) == name
		}
	case r.Resource == definitions.Resource:
		plural, group, _ := strings.Cut(name, ".")
		in = func(key string) bool {
			at, _, ok := s.find(key)
			return ok && at.Plural == plural && at.Group == group
		}
	default:
		return nil
	}
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if in(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// sweep is the work of the controllers, done at once: it empties namespaces and definitions that are being deleted, takes out those that are
// empty, and deletes what its owners have left.
func (s *Server) sweep() {
	if !s.Controlled || s.sweeping {
		return
	}
	s.sweeping = true
	defer func() { s.sweeping = false }()
	for s.swept() {
	}
}

// swept does one piece of that work, and tells whether there was any.
func (s *Server) swept() bool {
	uids := map[string]bool{}
	for _, object := range s.objects {
		uids[tree.String(object, "metadata", "uid")] = true
	}
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		object := s.objects[key]
		r, _, ok := s.find(key)
		if !ok {
			continue
		}
		deleting := tree.String(object, "metadata", "deletionTimestamp") != ""
		if !deleting && orphaned(object, uids) {
			_, err := s.delete(key, r, object, nil)
			return err == nil
		}
		if !deleting || r.Kind != "Namespace" && r.Resource != definitions.Resource {
			continue
		}
		held := s.held(r, object)
		if len(held) == 0 && len(finalizers(object)) == 0 {
			s.remove(key, object)
			return true
		}
		for _, key := range held {
			object := s.objects[key]
			if at, _, ok := s.find(key); ok && tree.String(object, "metadata", "deletionTimestamp") == "" {
				_, err := s.delete(key, at, object, nil)
				return err == nil
			}
		}
	}
	return false
}

// orphaned tells whether an object has owners, and none of them is there.
func orphaned(object map[string]any, uids map[string]bool) bool {
	owners, _ := tree.Get(object, "metadata", "ownerReferences")
	list, _ := owners.([]any)
	return len(list) > 0 && !slices.ContainsFunc(list, func(owner any) bool { return uids[tree.String(owner, "uid")] })
}
