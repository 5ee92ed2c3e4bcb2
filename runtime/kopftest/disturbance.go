package kopftest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// kind is what happens at a place.
type kind int

// The kinds of disturbances: first those of writes, then those of events.
const (
	crashBefore kind = iota
	crashAfter
	conflicting
	failing
	answerLost
	meddling
	doubled
	eventLate
	eventAgain
	watchBroken
	watchForgotten
	kinds

	none       kind = -1
	writeKinds      = eventLate
)

var kindTexts = [kinds]string{
	crashBefore: "the process is killed before write %d", crashAfter: "the process is killed after write %d",
	conflicting: "write %d is a conflict", failing: "write %d fails with 500", answerLost: "the answer to write %d is lost",
	meddling: "somebody else writes to the object before write %d", doubled: "a second copy runs from write %d on",
	eventLate: "event %d comes late", eventAgain: "event %d comes twice", watchBroken: "the watch breaks before event %d",
	watchForgotten: "the watch breaks before event %d, and the server forgets the past",
}

// disturbance is something that happens at the n-th write, or event, of a history.
type disturbance struct {
	kind kind
	n    int
}

// String implements fmt.Stringer.
func (d disturbance) String() string { return fmt.Sprintf(kindTexts[d.kind], d.n) }

// at returns what happens at a place.
func (h *history) at(n int, from, to kind) kind {
	for _, d := range h.disturbances {
		if d.n == n && d.kind >= from && d.kind < to {
			return d.kind
		}
	}
	return none
}

// write counts a write of the operator to a declared resource, and returns what befalls it.
func (h *history) write(p *process, r Request) kind {
	if h == nil || !r.writes() {
		return none
	}
	h.mu.Lock()
	if h.quiet {
		h.after = append(h.after, r)
		h.mu.Unlock()
		return none
	}
	h.writes++
	n := h.writes
	struck := h.at(n, 0, writeKinds)
	h.mu.Unlock()
	switch struck {
	case none:
		return none
	case meddling:
		h.meddle(p.stage, r)
	case doubled:
		h.mu.Lock()
		h.copies = true
		h.mu.Unlock()
		p.stage.double()
	}
	p.stage.timeline.add("fault", "%s", disturbance{struck, n})
	return struck
}

// writes tells whether a request changes an object that is not only a note of what happened.
func (r Request) writes() bool {
	return slices.Contains([]Verb{Create, Update, Patch, Delete}, r.Verb) && r.Resource != "events" && r.Resource != "leases"
}

// What somebody else writes, and for how long it stays: nothing that handlers are called for.
const (
	foreignFinalizer  = "kopftest.example.com/somebody"
	foreignAnnotation = "kubectl.kubernetes.io/last-applied-configuration"
	foreignStay       = 10 * time.Second
)

// meddle writes to the object of a request, as somebody else.
func (h *history) meddle(s *Stage, r Request) {
	for _, declared := range s.declared {
		if declared.Plural != r.Resource || r.Name == "" {
			continue
		}
		resource, _ := s.server.Resource(declared.Group, declared.Version, declared.Kind)
		path := resource.Path(r.Namespace, r.Name, "")
		object := s.server.Object(path)
		if object == nil {
			return
		}
		finalizers, _ := tree.Get(object, "metadata", "finalizers")
		list, _ := finalizers.([]any)
		if tree.String(object, "metadata", "deletionTimestamp") == "" && !slices.Contains(list, any(foreignFinalizer)) {
			list = append([]any{foreignFinalizer}, list...)
			s.processes.ended.Go(func() {
				time.Sleep(foreignStay)
				h.depart(s, path)
			})
		}
		h.patch(s, path, map[string]any{"annotations": map[string]any{foreignAnnotation: time.Now().String()}, "finalizers": list})
	}
}

// depart takes away the finalizer of somebody else.
func (h *history) depart(s *Stage, path string) {
	object := s.server.Object(path)
	finalizers, _ := tree.Get(object, "metadata", "finalizers")
	list, _ := finalizers.([]any)
	if at := slices.Index(list, any(foreignFinalizer)); at >= 0 {
		h.mu.Lock()
		h.departed[tree.String(object, "metadata", "uid")] = true
		h.mu.Unlock()
		h.patch(s, path, map[string]any{"finalizers": slices.Delete(slices.Clone(list), at, at+1)})
	}
}

func (h *history) patch(s *Stage, path string, metadata map[string]any) {
	body, err := tree.Encode(map[string]any{"metadata": metadata})
	if err == nil {
		_, err = s.server.Do(http.MethodPatch, path, string(types.MergePatchType), body)
	}
	if err != nil {
		s.timeline.add("fault", "writing as somebody else: %v", err)
	}
}

// frames is a watch whose events can be disturbed, one each time it is written to.
type frames struct {
	http.ResponseWriter
	ctx   context.Context
	cut   context.CancelFunc
	stage *Stage
}

var errCut = errors.New("the watch is broken")

// delay is how late a disturbed event is.
const delay = 7 * time.Second

// Write takes one frame.
func (f *frames) Write(frame []byte) (int, error) {
	if f.ctx.Err() != nil {
		return 0, errCut
	}
	h := f.stage.explored
	if !bytes.Contains(frame, []byte(`"type":"BOOKMARK"`)) {
		h.mu.Lock()
		struck := none
		if !h.quiet {
			h.events++
			struck = h.at(h.events, writeKinds, kinds)
		}
		n := h.events
		h.mu.Unlock()
		if struck != none {
			f.stage.timeline.add("fault", "%s", disturbance{struck, n})
		}
		switch struck {
		case eventLate:
			select {
			case <-time.After(delay):
			case <-f.ctx.Done():
				return 0, errCut
			}
		case eventAgain:
			if _, err := f.ResponseWriter.Write(frame); err != nil {
				return 0, err
			}
		case watchForgotten:
			f.stage.server.Forget()
			f.cut()
			return 0, errCut
		case watchBroken:
			f.cut()
			return 0, errCut
		}
	}
	return f.ResponseWriter.Write(frame)
}

// Flush implements http.Flusher.
func (f *frames) Flush() { f.ResponseWriter.(http.Flusher).Flush() }
