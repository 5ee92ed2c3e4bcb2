package apitest

import (
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	Type     string
	previous map[string]any // nil if there was none
	object   map[string]any
	path     string
	version  int
	at       time.Time
}

// Object returns the JSON of the object.
func (e Event) Object() []byte {
	data, err := tree.Encode(e.object)
	if err != nil {
		panic(err) // it was decoded
	}
	return data
}

// States returns what the object was before, or nil, and what it is now, or was at its end. They must not be changed.
func (e Event) States() (before, now map[string]any) { return e.previous, e.object }

// Now returns what the object is after the event: nil if it is gone. It must not be changed.
func (e Event) Now() map[string]any {
	if e.Type == Deleted {
		return nil
	}
	return e.object
}

// Path returns the path of the object, in the version in which it is stored.
func (e Event) Path() string { return e.path }

func (s *Server) happened(typ, path string, previous, object map[string]any) {
	e := Event{Type: typ, previous: previous, object: object, path: path, version: s.version, at: time.Now()}
	s.events = append(s.events, e)
	if strings.HasPrefix(path, definitions.Path("", "", "")+"/") {
		s.defines(object, typ == Deleted)
	}
	if s.Happened != nil {
		s.Happened(e)
	}
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
	r, _, ok := s.find(collection)
	for _, path := range slices.Sorted(maps.Keys(s.objects)) {
		if ok && r.within(path, collection) {
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

// watch answers a watch, with or without a list before it, until the client goes or its time is over.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	resource, collection, ok := s.find(r.URL.Path)
	if !ok || !collection {
		answerError(w, refuse(404, metav1.StatusReasonNotFound, "", "the server could not find the requested resource"))
		return
	}
	q := r.URL.Query()
	selected, err := newSelection(resource, q)
	if err != nil {
		answerError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.(http.Flusher).Flush()
	o := &outlet{w: w, accept: r.Header.Get("Accept")}

	from, _ := strconv.Atoi(strings.TrimPrefix(q.Get("resourceVersion"), "v-"))
	version, initial := from, q.Get("sendInitialEvents") == "true"
	if initial || from == 0 {
		var objects []Event
		objects, version = s.Snapshot(r.URL.Path)
		if from > version {
			o.send("ERROR", map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Timeout", "code": 504, "message": "Too large resource version"})
			return
		}
		for _, e := range objects {
			if object := resource.view(e.object); selected.has(object) {
				o.object(e.Type, object)
			}
		}
		from = version
	}
	if initial {
		o.send("BOOKMARK", s.bookmark(resource, version, map[string]any{metav1.InitialEventsAnnotationKey: "true"}))
	}
	var over, remind <-chan time.Time
	if seconds, _ := strconv.Atoi(q.Get("timeoutSeconds")); seconds > 0 {
		timer := time.NewTimer(time.Duration(seconds) * time.Second)
		defer timer.Stop()
		over = timer.C
	}
	if s.Bookmarks > 0 && q.Get("allowWatchBookmarks") == "true" {
		ticker := time.NewTicker(s.Bookmarks)
		defer ticker.Stop()
		remind = ticker.C
	}
	for {
		_, _, there := s.find(r.URL.Path)
		events, changed, ok := s.Since(&version)
		if !ok {
			o.send("ERROR", map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Expired", "code": 410, "message": "too old resource version"})
			return
		}
		for _, e := range events {
			// Who asks for a version of the future hears nothing of what comes before it.
			if e.version <= from || !resource.within(e.path, r.URL.Path) {
				continue
			}
			typ, object, ok := selected.sees(e, resource)
			if !ok {
				continue
			}
			for late := range s.late(e) {
				select {
				case <-late:
				case <-remind:
					o.send("BOOKMARK", s.bookmark(resource, e.version-1, nil))
				case <-r.Context().Done():
					return
				}
			}
			o.object(typ, object)
		}
		if !there {
			return // the definition is gone
		}
		if _, _, still := s.find(r.URL.Path); !still {
			continue // it has just gone, and what went with it may not have been told yet
		}
		select {
		case <-changed:
		case <-remind:
			o.send("BOOKMARK", s.bookmark(resource, max(version, from), nil))
		case <-over:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// late returns a timer for as long as an event is held back; there are bookmarks meanwhile, as from a server that lags behind.
func (s *Server) late(e Event) iter.Seq[<-chan time.Time] {
	return func(yield func(<-chan time.Time) bool) {
		if s.Late == nil {
			return
		}
		until := e.at.Add(s.Late())
		for time.Now().Before(until) {
			if !yield(time.After(time.Until(until))) {
				return
			}
		}
	}
}

func (s *Server) bookmark(resource served, version int, annotations map[string]any) any {
	metadata := map[string]any{"resourceVersion": s.named(version), "creationTimestamp": nil}
	if annotations != nil {
		metadata["annotations"] = annotations
	}
	return map[string]any{"kind": resource.Kind, "apiVersion": resource.APIVersion(), "metadata": metadata}
}

// outlet writes the frames of a watch.
type outlet struct {
	w      http.ResponseWriter
	accept string
}

func (o *outlet) object(typ string, object map[string]any) { o.send(typ, shown(object, o.accept)) }

func (o *outlet) send(typ string, object any) {
	if frame, err := json.Marshal(map[string]any{"type": typ, "object": object}); err == nil {
		_, _ = o.w.Write(append(frame, '\n'))
	}
	o.w.(http.Flusher).Flush()
}
