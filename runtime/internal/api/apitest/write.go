package apitest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// duplicates names the members that the text of an object to be created has twice.
func duplicates(method string, body []byte) []string {
	if method != "POST" {
		return nil
	}
	var object map[string]any
	strict, err := kjson.UnmarshalStrict(body, &object)
	if err != nil {
		return nil
	}
	var texts []string
	for _, e := range strict {
		texts = append(texts, e.Error())
	}
	return texts
}

// create keeps a new object.
func (s *Server) create(r request, collection string, resource served, object map[string]any) (map[string]any, error) {
	name := tree.String(object, "metadata", "name")
	if base := tree.String(object, "metadata", "generateName"); name == "" && base != "" {
		name = fmt.Sprintf("%s%05d", base, s.uids+1)
		tree.Set(object, name, "metadata", "name")
	}
	if name == "" {
		return nil, refuse(422, metav1.StatusReasonInvalid, "metadata.name", "metadata.name: Required value: name or generateName is required")
	}
	key := resource.key(collection) + "/" + name
	if _, ok := s.objects[key]; ok {
		return nil, refuse(409, metav1.StatusReasonAlreadyExists, "", "%s %q already exists", resource.Plural, name)
	}
	object["apiVersion"], object["kind"] = resource.APIVersion(), resource.Kind
	if namespace := resource.namespace(collection); namespace != "" {
		if is := tree.String(object, "metadata", "namespace"); is != "" && is != namespace {
			return nil, refuse(400, metav1.StatusReasonBadRequest, "", "the namespace of the provided object does not match the namespace sent on the request")
		}
		if err := s.admits(namespace); err != nil {
			return nil, err
		}
		tree.Set(object, namespace, "metadata", "namespace")
	}
	if resource.HasStatus {
		delete(object, "status")
	}
	s.begin(resource, object)
	if err := s.complete(resource, object); err != nil {
		return nil, err
	}
	if err := resource.refuses(object); err != nil {
		return nil, err
	}
	s.uids++
	meta := tree.Object(object, "metadata")
	for _, kept := range []string{"deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion", "selfLink"} {
		delete(meta, kept)
	}
	meta["uid"] = fmt.Sprintf("00000000-0000-4000-8000-%012d", s.uids)
	meta["creationTimestamp"] = timestamp()
	if resource.generations() {
		meta["generation"] = int64(1)
	}
	object, err := s.owned(r, resource, "", nil, object)
	if err != nil {
		return nil, err
	}
	return resource.view(s.store(Added, key, resource.keep(object))), nil
}

// timestamp is now, as the server writes it into objects.
func timestamp() string { return time.Now().UTC().Format(time.RFC3339) }

// complete prunes an object, sets defaults, and refuses it if it is not as its schema wants it.
func (s *Server) complete(resource served, object map[string]any) error {
	var field, message string
	switch {
	case resource.schema != nil:
		resource.schema.complete(object)
		field, message = resource.schema.refuses(object)
	case s.Validate != nil:
		field, message = s.Validate(object)
	}
	if field != "" {
		return refuse(422, metav1.StatusReasonInvalid, field, "%s: %s", field, message)
	}
	if known := tree.Object(object, "status"); resource.HasStatus && known != nil && s.KnownStatus != nil {
		pruned := map[string]any{}
		for name, v := range known {
			if slices.Contains(s.KnownStatus, name) {
				pruned[name] = v
			}
		}
		object["status"] = pruned
	}
	return nil
}

// store keeps the next state of an object and returns it as it is kept: numbers are normalised on their way.
func (s *Server) store(event, key string, object map[string]any) map[string]any {
	previous := s.objects[key]
	s.version++
	tree.Set(object, s.named(s.version), "metadata", "resourceVersion")
	text, err := json.Marshal(object)
	if err == nil {
		object, err = tree.DecodeObject(text)
	}
	if err != nil {
		panic(err) // it was decoded
	}
	s.objects[key] = object
	s.happened(event, key, previous, object)
	return object
}

// named returns the name of a version.
func (s *Server) named(version int) string {
	if s.Unordered {
		return "v-" + strconv.Itoa(version)
	}
	return strconv.Itoa(version)
}

func (s *Server) delete(key string, resource served, current map[string]any, body []byte) (map[string]any, error) {
	var options struct {
		Preconditions struct{ UID, ResourceVersion string }
	}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &options); err != nil {
			return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
		}
	}
	for name, want := range map[string]string{"uid": options.Preconditions.UID, "resourceVersion": options.Preconditions.ResourceVersion} {
		if is := tree.String(current, "metadata", name); want != "" && want != is {
			return nil, refuse(409, metav1.StatusReasonConflict, "", "Precondition failed: %s in precondition: %s, in object meta: %s", name, want, is)
		}
	}
	if len(finalizers(current)) == 0 && !s.holds(resource, current) {
		s.remove(key, current)
		return resource.view(current), nil
	}
	if tree.String(current, "metadata", "deletionTimestamp") != "" {
		return resource.view(current), nil
	}
	object := tree.Copy(current).(map[string]any)
	meta := tree.Object(object, "metadata")
	meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = timestamp(), int64(0)
	if n, ok := meta["generation"].(int64); ok {
		meta["generation"] = n + 1
	}
	s.end(resource, object)
	object = s.store(Modified, key, object)
	s.sweep()
	return resource.view(object), nil
}

// Erase takes an object out of the store whatever its finalizers: so ends one whose deletion was decided before a finalizer came, by the
// facts. It reports false if there is no such object.
func (s *Server) Erase(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := s.Key(path)
	object, ok := s.objects[key]
	if ok {
		s.remove(key, object)
	}
	return ok
}

// remove takes an object out of the store. The event shows the state before, with a newer version.
func (s *Server) remove(key string, last map[string]any) {
	delete(s.objects, key)
	s.version++
	previous := last
	last = tree.Copy(last).(map[string]any)
	tree.Set(last, s.named(s.version), "metadata", "resourceVersion")
	s.happened(Deleted, key, previous, last)
	s.sweep()
}
