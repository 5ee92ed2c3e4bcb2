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
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Server is as much of an API server as operators meet: it tells which resources there are, and creates, reads, patches, deletes, lists and
// watches their objects. It applies patches, and prunes, with the libraries that the API server uses. That it behaves alike is checked by
// the facts that are asked of both, and by package patch, which plays the same scenarios on both.
//
// It is an http.Handler, and can be called without HTTP as well. Set its fields before it is used.
type Server struct {
	// Validate is the schema of resources that have no definition: it returns the path of the field that it refuses, and why, or nothing.
	Validate func(object map[string]any) (field, message string)
	// KnownStatus are the members that the schema has in the status of resources with a status sub-resource; the rest is dropped. None
	// means all.
	KnownStatus []string
	// Unordered has the server name versions by words, as an aggregated API may.
	Unordered bool
	// Bookmarks is how often a watch that allows them is told the newest version; never, if zero. Kubernetes does so every minute.
	Bookmarks time.Duration
	// Late is asked for each event how long after it happened a watch tells it; nil means at once.
	Late func() time.Duration
	// Happened is told every event as it happens, with the server locked.
	Happened func(Event)

	resources   []served
	definitions map[string]any // of custom resources, by path

	mu      sync.Mutex
	objects map[string]map[string]any // by the path in the version that is stored
	version int
	uids    int
	events  []Event
	changed chan struct{} // closed with the next event
	oldest  int           // what happened up to this version is forgotten
}

// served is a resource in one of its versions.
type served struct {
	api.Resource
	// stored is the root of the version in which objects are kept.
	stored api.Resource
	// schema is nil for a resource without a definition, which keeps everything.
	schema *schema
	// selectable are the paths of the fields that selectors may name, besides name and namespace.
	selectable [][]string
}

// NewServer returns a server of the resources.
func NewServer(resources ...api.Resource) *Server {
	s := &Server{objects: map[string]map[string]any{}, definitions: map[string]any{}, version: 100, changed: make(chan struct{})}
	for _, r := range resources {
		s.Add(r)
	}
	return s
}

// Add has the server serve a resource that has no definition. It must not be called once the server is used.
func (s *Server) Add(r api.Resource) {
	s.resources = append(s.resources, served{Resource: r, stored: r})
}

// Resource returns the resource of a kind; the version may be empty. It reports whether it is served.
func (s *Server) Resource(group, version, kind string) (api.Resource, bool) {
	for _, r := range s.resources {
		if r.Group == group && r.Kind == kind && (version == "" || r.Version == version) {
			return r.Resource, true
		}
	}
	return api.Resource{}, false
}

// request is one that is answered at once.
type request struct {
	method, path, contentType, accept string
	query                             url.Values
	body                              []byte
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
	warnings := duplicates(r.Method, body)
	for _, text := range warnings {
		w.Header().Add("Warning", fmt.Sprintf("299 - %q", text))
	}
	req := request{
		method: r.Method, path: r.URL.Path, contentType: r.Header.Get("Content-Type"), accept: r.Header.Get("Accept"),
		query: r.URL.Query(), body: body,
	}
	if len(warnings) > 0 && req.query.Get("fieldValidation") == "Strict" {
		answerError(w, refuse(400, metav1.StatusReasonBadRequest, "", "strict decoding error: %s", strings.Join(warnings, ", ")))
		return
	}
	answer, err := s.do(req)
	if err != nil {
		answerError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodPost {
		w.WriteHeader(http.StatusCreated)
	}
	_, _ = w.Write(answer)
}

func answerError(w http.ResponseWriter, err error) {
	refusal, ok := errors.AsType[*apierrors.StatusError](err)
	if !ok {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(refusal.ErrStatus.Code))
	_ = json.NewEncoder(w).Encode(refusal.ErrStatus)
}

// Patch has the signature of the method of api.Client.
func (s *Server) Patch(_ context.Context, path string, kind types.PatchType, body []byte, query url.Values) ([]byte, error) {
	return s.do(request{method: http.MethodPatch, path: path, contentType: string(kind), body: body, query: query})
}

// Do makes one request. A refusal is an *apierrors.StatusError.
func (s *Server) Do(method, path, contentType string, body []byte) ([]byte, error) {
	return s.do(request{method: method, path: path, contentType: contentType, body: body})
}

func (s *Server) do(r request) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer, err := s.handle(r)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// Object returns the object at a path as it is; nil if it is not there.
func (s *Server) Object(path string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, _, ok := s.find(path); ok {
		if object, ok := s.objects[r.key(path)]; ok {
			return tree.Copy(object).(map[string]any)
		}
	}
	return nil
}

// Key returns the path of an object in the version in which it is stored, which is that of its events.
func (s *Server) Key(path string) string {
	if r, _, ok := s.find(path); ok {
		return r.key(path)
	}
	return path
}

// Restore puts the server's store back to how it was at an earlier version, as from a backup. What happened until now is forgotten.
func (s *Server) Restore(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, _ := strconv.Atoi(version)
	s.objects = s.at(at)
	s.events = slices.DeleteFunc(s.events, func(e Event) bool { return e.version > at })
	s.version = at
}

// at returns the objects that there were at a version.
func (s *Server) at(version int) map[string]map[string]any {
	objects := map[string]map[string]any{}
	for _, e := range s.events {
		if e.version > version {
			break
		}
		if objects[e.path] = e.object; e.Type == Deleted {
			delete(objects, e.path)
		}
	}
	return objects
}

func refuse(code int32, reason metav1.StatusReason, field, format string, args ...any) error {
	s := metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: fmt.Sprintf(format, args...)}
	s.Kind, s.APIVersion = "Status", "v1"
	if field != "" {
		s.Details = &metav1.StatusDetails{Causes: []metav1.StatusCause{{Field: field}}}
	}
	return &apierrors.StatusError{ErrStatus: s}
}

func (s *Server) handle(r request) (any, error) {
	if r.method == http.MethodGet {
		if known, ok := s.discover(r.path); ok {
			return known, nil
		}
	}
	resource, collection, ok := s.find(r.path)
	if !ok {
		return nil, refuse(404, metav1.StatusReasonNotFound, "", "the server could not find the requested resource")
	}
	switch {
	case r.method == http.MethodPost && collection:
		return s.create(r.path, resource, r.body)
	case r.method == http.MethodGet && collection:
		return s.list(r, resource)
	}
	path, status := strings.CutSuffix(r.path, "/status")
	key := resource.key(path)
	current, ok := s.objects[key]
	if !ok || status && !resource.HasStatus {
		return nil, refuse(404, metav1.StatusReasonNotFound, "", "%s not found", path)
	}
	switch r.method {
	case http.MethodGet:
		return shown(resource.view(current), r.accept), nil
	case http.MethodDelete:
		return s.delete(key, resource, current, r.body)
	case http.MethodPatch:
		object, err := patched(resource.view(current), r.contentType, r.body)
		if err != nil {
			return nil, err
		}
		return s.change(key, resource, status, object)
	case http.MethodPut:
		object, err := tree.DecodeObject(r.body)
		if err != nil {
			return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
		}
		if resource.schema != nil && tree.String(object, "metadata", "resourceVersion") == "" {
			return nil, refuse(422, metav1.StatusReasonInvalid, "metadata.resourceVersion", "metadata.resourceVersion: Invalid value: must be specified for an update")
		}
		return s.change(key, resource, status, object)
	}
	return nil, refuse(405, metav1.StatusReasonMethodNotAllowed, "", "%s is not allowed", r.method)
}

// find tells which resource a path is of, and whether it is that of a collection.
func (s *Server) find(path string) (resource served, collection, ok bool) {
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
	return served{}, false, false
}

// key returns the path under which an object is kept, whatever the version by which it is asked for.
func (r served) key(path string) string {
	return r.stored.Root() + strings.TrimPrefix(path, r.Root())
}

// view returns an object in the version of the resource: as without conversion, what its schema does not have is not there.
func (r served) view(object map[string]any) map[string]any {
	if r.Version == r.stored.Version {
		return object
	}
	object = with(object, "apiVersion", r.APIVersion())
	if r.schema != nil {
		r.schema.complete(object)
	}
	return object
}

// shown returns an object as the client wants to see it: all of it, or its metadata alone.
func shown(object map[string]any, accept string) map[string]any {
	if !strings.Contains(accept, "as=PartialObjectMetadata") {
		return object
	}
	return map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": object["metadata"]}
}
