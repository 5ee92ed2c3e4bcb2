package apitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Server is as much of an API server as operators meet: it tells which resources there are, and creates, reads, patches, deletes, lists and
// watches their objects. It applies patches with the library that the API server uses. That it behaves alike is checked by package patch,
// which plays the same scenarios on both.
//
// It is an http.Handler, and can be called without HTTP as well. Set its fields before it is used.
type Server struct {
	// Validate is the schema: it returns the path of the field that it refuses, and why, or nothing.
	Validate func(object map[string]any) (field, message string)
	// KnownStatus are the members that the schema has in the status of resources with a status sub-resource; the rest is dropped. None
	// means all.
	KnownStatus []string
	// Unordered has the server name versions by words, as an aggregated API may.
	Unordered bool

	resources []api.Resource

	mu      sync.Mutex
	objects map[string]map[string]any // by path
	version int
	uids    int
	events  []Event
	changed chan struct{} // closed with the next event
	oldest  int           // what happened up to this version is forgotten
}

// NewServer returns a server of the resources.
func NewServer(resources ...api.Resource) *Server {
	return &Server{resources: resources, objects: map[string]map[string]any{}, version: 100, changed: make(chan struct{})}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.URL.Query().Has("watch") {
		s.watch(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := s.Do(r.Method, r.URL.Path, r.Header.Get("Content-Type"), body)
	code := http.StatusOK
	if err != nil {
		var refusal *apierrors.StatusError
		if !errors.As(err, &refusal) {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		code = int(refusal.ErrStatus.Code)
		answer, _ = json.Marshal(refusal.ErrStatus)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(answer)
}

// Patch has the signature of the method of api.Client.
func (s *Server) Patch(_ context.Context, path string, kind types.PatchType, body []byte, _ url.Values) ([]byte, error) {
	return s.Do(http.MethodPatch, path, string(kind), body)
}

// Do makes one request. A refusal is an *apierrors.StatusError.
func (s *Server) Do(method, path, contentType string, body []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer, err := s.handle(method, path, contentType, body)
	if err != nil {
		return nil, err
	}
	return tree.Encode(answer)
}

// Object returns the object at a path as it is; nil if it is not there.
func (s *Server) Object(path string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if object, ok := s.objects[path]; ok {
		return tree.Copy(object).(map[string]any)
	}
	return nil
}

// Restore puts the server's store back to how it was at an earlier version, as from a backup. What happened until now is forgotten.
func (s *Server) Restore(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, _ := strconv.Atoi(version)
	clear(s.objects)
	for _, e := range s.events {
		if e.version > at {
			break
		}
		if s.objects[e.path] = e.object; e.Type == Deleted {
			delete(s.objects, e.path)
		}
	}
	s.events = slices.DeleteFunc(s.events, func(e Event) bool { return e.version > at })
	s.version = at
}

func refuse(code int32, reason metav1.StatusReason, field, format string, args ...any) error {
	s := metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: fmt.Sprintf(format, args...)}
	s.Kind, s.APIVersion = "Status", "v1"
	if field != "" {
		s.Details = &metav1.StatusDetails{Causes: []metav1.StatusCause{{Field: field}}}
	}
	return &apierrors.StatusError{ErrStatus: s}
}

func (s *Server) handle(method, path, contentType string, body []byte) (any, error) {
	for _, resource := range s.resources {
		if path == resource.Root() {
			return s.discover(path), nil
		}
	}
	resource, collection, ok := s.find(path)
	if !ok {
		return nil, refuse(404, metav1.StatusReasonNotFound, "", "the server could not find the requested resource")
	}
	switch {
	case method == http.MethodPost && collection:
		return s.create(path, resource, body)
	case method == http.MethodGet && collection:
		return s.list(path, resource), nil
	}
	path, status := strings.CutSuffix(path, "/status")
	current, ok := s.objects[path]
	if !ok || status && !resource.HasStatus {
		return nil, refuse(404, metav1.StatusReasonNotFound, "", "%s not found", path)
	}
	switch method {
	case http.MethodGet:
		return current, nil
	case http.MethodDelete:
		return s.delete(path, current), nil
	case http.MethodPatch:
		return s.patch(path, resource, status, contentType, body)
	}
	return nil, refuse(405, metav1.StatusReasonMethodNotAllowed, "", "%s is not allowed", method)
}

// find tells which resource a path is of, and whether it is that of a collection.
func (s *Server) find(path string) (resource api.Resource, collection, ok bool) {
	for _, r := range s.resources {
		rest, ok := strings.CutPrefix(path, r.Root()+"/")
		if !ok {
			continue
		}
		parts := strings.Split(rest, "/")
		if r.Namespaced && len(parts) > 2 && parts[0] == "namespaces" {
			parts = parts[2:]
		}
		if parts[0] == r.Plural {
			return r, len(parts) == 1, true
		}
	}
	return api.Resource{}, false, false
}

// discover lists the resources of a group and version.
func (s *Server) discover(root string) any {
	list := []any{}
	for _, r := range s.resources {
		if r.Root() != root {
			continue
		}
		verbs := []any{"create", "delete", "get", "list", "patch", "watch"}
		list = append(list, map[string]any{"name": r.Plural, "kind": r.Kind, "namespaced": r.Namespaced, "verbs": verbs})
		if r.HasStatus {
			list = append(list, map[string]any{"name": r.Plural + "/status", "kind": r.Kind, "namespaced": r.Namespaced, "verbs": []any{"get", "patch"}})
		}
	}
	return map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "resources": list}
}

func (s *Server) create(collection string, resource api.Resource, body []byte) (any, error) {
	object, err := tree.DecodeObject(body)
	if err != nil {
		return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
	}
	path := collection + "/" + tree.String(object, "metadata", "name")
	if _, ok := s.objects[path]; ok {
		return nil, refuse(409, metav1.StatusReasonAlreadyExists, "", "%s exists", path)
	}
	s.uids++
	object["apiVersion"], object["kind"] = resource.APIVersion(), resource.Kind
	if rest, ok := strings.CutPrefix(collection, resource.Root()+"/namespaces/"); ok {
		namespace, _, _ := strings.Cut(rest, "/")
		tree.Set(object, namespace, "metadata", "namespace")
	}
	tree.Set(object, fmt.Sprintf("00000000-0000-4000-8000-%012d", s.uids), "metadata", "uid")
	tree.Set(object, "2026-01-01T00:00:00Z", "metadata", "creationTimestamp")
	tree.Set(object, int64(1), "metadata", "generation")
	if resource.HasStatus {
		delete(object, "status")
	}
	s.store(Added, path, object)
	return object, nil
}

func (s *Server) store(event, path string, object map[string]any) {
	s.version++
	tree.Set(object, s.named(s.version), "metadata", "resourceVersion")
	s.objects[path] = object
	s.happened(event, path, object)
}

// named returns the name of a version.
func (s *Server) named(version int) string {
	if s.Unordered {
		return "v-" + strconv.Itoa(version)
	}
	return strconv.Itoa(version)
}

func (s *Server) delete(path string, current map[string]any) any {
	if len(finalizers(current)) == 0 {
		s.remove(path, current)
		return current
	}
	if tree.String(current, "metadata", "deletionTimestamp") != "" {
		return current
	}
	object := tree.Copy(current).(map[string]any)
	tree.Set(object, "2026-01-02T00:00:00Z", "metadata", "deletionTimestamp")
	tree.Set(object, int64(0), "metadata", "deletionGracePeriodSeconds")
	s.store(Modified, path, object)
	return object
}

// remove takes an object out of the store. The event shows the state before, with a newer version.
func (s *Server) remove(path string, last map[string]any) {
	delete(s.objects, path)
	s.version++
	last = tree.Copy(last).(map[string]any)
	tree.Set(last, s.named(s.version), "metadata", "resourceVersion")
	s.happened(Deleted, path, last)
}
