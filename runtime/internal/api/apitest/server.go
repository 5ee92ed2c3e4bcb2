package apitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
	// Types knows the types of objects; without it there are no managedFields, and no patches that need types.
	Types Types
	// Controlled has the server behave as a cluster with its controllers: an object needs a namespace that is there; what is in a namespace
	// goes with it, objects go with their definition, and those that all owners have left with the owners.
	Controlled bool

	catalog   sync.RWMutex // guards resources
	resources []served

	mu      sync.Mutex
	objects map[string]map[string]any // by the path in the version that is stored
	given   map[string]map[string]any // those that were there from the start, without an event
	version int
	uids    int
	events  []Event
	changed chan struct{} // closed with the next event
	oldest  int           // what happened up to this version is forgotten

	sweeping bool
}

// NewServer returns a server of the resources.
func NewServer(resources ...api.Resource) *Server {
	s := &Server{objects: map[string]map[string]any{}, given: map[string]map[string]any{}, version: 100, changed: make(chan struct{})}
	s.serve(definitions)
	for _, r := range resources {
		s.Add(r)
	}
	return s
}

// Add has the server serve a resource that has no definition.
func (s *Server) Add(r api.Resource) { s.serve(served{Resource: r, stored: r, builtIn: known(r)}) }

// Resource returns the resource of a kind; the version may be empty. It reports whether it is served.
func (s *Server) Resource(group, version, kind string) (api.Resource, bool) {
	for _, r := range s.all() {
		if r.Group == group && r.Kind == kind && (version == "" || r.Version == version) {
			return r.Resource, true
		}
	}
	return api.Resource{}, false
}

// request is one that is answered at once.
type request struct {
	method, path, contentType, accept, agent string
	query                                    url.Values
	body                                     []byte
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
	contentType, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	req := request{
		method: r.Method, path: r.URL.Path, contentType: contentType, accept: r.Header.Get("Accept"), agent: r.UserAgent(),
		query: r.URL.Query(), body: body,
	}
	if len(warnings) > 0 && req.query.Get("fieldValidation") == "Strict" {
		answerError(w, refuse(400, metav1.StatusReasonBadRequest, "", "strict decoding error: %s", strings.Join(warnings, ", ")))
		return
	}
	answer, created, err := s.do(req)
	if err != nil {
		answerError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if created {
		w.WriteHeader(http.StatusCreated)
	}
	_, _ = w.Write(answer)
}

func answerError(w http.ResponseWriter, err error) {
	var refusal apierrors.APIStatus
	if !errors.As(err, &refusal) {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	status := refusal.Status()
	status.Kind, status.APIVersion = "Status", "v1"
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status.Code))
	_ = json.NewEncoder(w).Encode(status)
}

// Patch has the signature of the method of api.Client.
func (s *Server) Patch(_ context.Context, path string, kind types.PatchType, body []byte, query url.Values) ([]byte, error) {
	answer, _, err := s.do(request{method: http.MethodPatch, path: path, contentType: string(kind), agent: people, body: body, query: query})
	return answer, err
}

// people is the manager of what is done without HTTP.
const people = "people"

// Do makes one request. A refusal is an *apierrors.StatusError.
func (s *Server) Do(method, path, contentType string, body []byte) ([]byte, error) {
	answer, _, err := s.do(request{method: method, path: path, contentType: contentType, agent: people, body: body})
	return answer, err
}

func (s *Server) do(r request) (text []byte, created bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer, created, err := s.handle(r)
	if err != nil {
		return nil, false, err
	}
	text, err = json.Marshal(answer)
	return text, created, err
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
	objects := maps.Clone(s.given)
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

// refusal returns the status of what refuse made.
func refusal(err error) *metav1.Status {
	e, _ := errors.AsType[*apierrors.StatusError](err)
	return &e.ErrStatus
}

func (s *Server) handle(r request) (answer any, created bool, err error) {
	if r.method == http.MethodGet {
		if known, ok := s.discover(r.path); ok {
			return known, false, nil
		}
	}
	resource, collection, ok := s.find(r.path)
	switch {
	case !ok:
		return nil, false, refuse(404, metav1.StatusReasonNotFound, "", "the server could not find the requested resource")
	case r.method == http.MethodGet && collection:
		answer, err = s.list(r, resource)
		return answer, false, err
	case r.method == http.MethodDelete && collection:
		answer, err = s.clear(r, resource)
		return answer, false, err
	}
	object, created, err := s.write(r, resource, collection)
	if err != nil {
		return nil, false, err
	}
	return shown(object, r.accept), created, nil
}

// write answers a request for one object.
func (s *Server) write(r request, resource served, collection bool) (object map[string]any, created bool, err error) {
	if r.method == http.MethodPost || r.method == http.MethodPut {
		if object, err = tree.DecodeObject(r.body); err != nil {
			return nil, false, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
		}
	}
	if r.method == http.MethodPost && collection {
		object, err = s.create(r, r.path, resource, object)
		return object, true, err
	}
	path, subresource := resource.split(r.path)
	key := resource.key(path)
	current, ok := s.objects[key]
	switch {
	case subresource != "" && !(subresource == "status" && resource.HasStatus):
		return nil, false, refuse(404, metav1.StatusReasonNotFound, "", "the server could not find the requested resource")
	case !ok && subresource == "" && r.method == http.MethodPatch && r.contentType == applyPatch:
		if object, err = s.applied(r, resource, "", nil); err != nil {
			return nil, false, err
		}
		collection, name, _ := cutLast(path)
		tree.Set(object, name, "metadata", "name")
		object, err = s.create(r, collection, resource, object)
		return object, true, err
	case !ok:
		return nil, false, refuse(404, metav1.StatusReasonNotFound, "", "%s not found", path)
	}
	switch r.method {
	case http.MethodGet:
		return resource.view(current), false, nil
	case http.MethodDelete:
		object, err = s.delete(key, resource, current, r.body)
	case http.MethodPatch:
		if object, err = s.patched(r, resource, subresource, resource.view(current)); err == nil {
			object, err = s.change(r, key, resource, subresource, object)
		}
	case http.MethodPut:
		if (resource.schema != nil || resource.versioned) && tree.String(object, "metadata", "resourceVersion") == "" {
			return nil, false, refuse(422, metav1.StatusReasonInvalid, "metadata.resourceVersion", "metadata.resourceVersion: Invalid value: must be specified for an update")
		}
		object, err = s.change(r, key, resource, subresource, object)
	default:
		err = refuse(405, metav1.StatusReasonMethodNotAllowed, "", "%s is not allowed", r.method)
	}
	return object, false, err
}

// clear deletes the objects of a collection.
func (s *Server) clear(r request, resource served) (any, error) {
	selected, err := newSelection(resource, r.query)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(s.objects)) {
		if object, ok := s.objects[key]; ok && resource.within(key, r.path) && selected.has(resource.view(object)) {
			if _, err := s.delete(key, resource, object, r.body); err != nil {
				return nil, err
			}
		}
	}
	return metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess}, nil
}

// shown returns an object as the client wants to see it: all of it, or its metadata alone.
func shown(object map[string]any, accept string) map[string]any {
	if !strings.Contains(accept, "as=PartialObjectMetadata") {
		return object
	}
	return map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": object["metadata"]}
}
