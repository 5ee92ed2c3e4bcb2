package apitest

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// The types of events.
const (
	Added    = "ADDED"
	Modified = "MODIFIED"
	Deleted  = "DELETED"
)

// Event is what a watch tells of an object.
type Event struct {
	Type    string
	object  map[string]any
	path    string
	version int
}

// Object returns the JSON of the object.
func (e Event) Object() []byte {
	data, err := tree.Encode(e.object)
	if err != nil {
		panic(err) // it was decoded
	}
	return data
}

func (s *Server) happened(typ, path string, object map[string]any) {
	s.events = append(s.events, Event{Type: typ, object: object, path: path, version: s.version})
	close(s.changed)
	s.changed = make(chan struct{})
}

// Since returns what has happened since the version, which it brings up to date, and a channel that is closed with the next event. It
// reports false if that is not known any more.
func (s *Server) Since(version *int) (events []Event, changed <-chan struct{}, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if *version < s.oldest {
		return nil, nil, false
	}
	at, _ := slices.BinarySearchFunc(s.events, *version, func(e Event, v int) int { return e.version - v - 1 })
	events = slices.Clone(s.events[at:])
	*version = s.version
	return events, s.changed, true
}

// Snapshot returns the objects below a path in their order, as a list has them, and the version that they have together.
func (s *Server) Snapshot(collection string) (objects []Event, version int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(s.objects)) {
		if s.within(path, collection) {
			objects = append(objects, Event{Type: Added, object: s.objects[path], path: path, version: s.version})
		}
	}
	return objects, s.version
}

// Forget has the server forget what has happened so far: who watches from before is told that it is gone.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.oldest = s.version
	close(s.changed)
	s.changed = make(chan struct{})
}

// within tells whether an object is in a collection, which may be that of one namespace or of all.
func (s *Server) within(path, collection string) bool {
	resource, _, ok := s.find(collection)
	if !ok {
		return false
	}
	other, _, _ := s.find(path)
	all := resource.Path("", "", "")
	return other == resource && (collection == all || strings.HasPrefix(path, collection+"/"))
}

// list is what a list without pages is. Its items leave it to the list to say what they are.
func (s *Server) list(collection string, resource api.Resource) any {
	items := []any{}
	for _, path := range slices.Sorted(maps.Keys(s.objects)) {
		if s.within(path, collection) {
			item := maps.Clone(s.objects[path])
			delete(item, "apiVersion")
			delete(item, "kind")
			items = append(items, item)
		}
	}
	return map[string]any{
		"apiVersion": resource.APIVersion(), "kind": resource.Kind + "List", "items": items,
		"metadata": map[string]any{"resourceVersion": s.named(s.version)},
	}
}

// watch answers a watch, with or without a list before it, until the client goes.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	send := func(typ string, object any) {
		frame, err := tree.Encode(map[string]any{"type": typ, "object": object})
		if err == nil {
			_, _ = w.Write(append(frame, '\n'))
		}
		w.(http.Flusher).Flush()
	}
	if _, collection, ok := s.find(r.URL.Path); !ok || !collection {
		http.Error(w, "there is no such collection", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.(http.Flusher).Flush()
	version, _ := strconv.Atoi(strings.TrimPrefix(q.Get("resourceVersion"), "v-"))
	if q.Get("sendInitialEvents") == "true" {
		var objects []Event
		objects, version = s.Snapshot(r.URL.Path)
		for _, e := range objects {
			send(e.Type, e.object)
		}
		send("BOOKMARK", map[string]any{"metadata": map[string]any{
			"resourceVersion": s.named(version), "annotations": map[string]any{metav1.InitialEventsAnnotationKey: "true"},
		}})
	}
	for {
		events, changed, ok := s.Since(&version)
		if !ok {
			send("ERROR", map[string]any{"kind": "Status", "code": int64(410), "reason": "Expired", "message": "too old resource version"})
			return
		}
		for _, e := range events {
			if s.within(e.path, r.URL.Path) {
				send(e.Type, e.object)
			}
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}
