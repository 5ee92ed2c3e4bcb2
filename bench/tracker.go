package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// patience is how long nothing may happen at all before a peer counts as stuck.
const patience = time.Minute

// tracker watches the objects of a kind and knows which of them have been handled.
type tracker struct {
	kind    kind
	handled map[string]bool // by name; false for those that are still to be handled
	ready   int             // those that have been
	mu      sync.Mutex
	changed chan struct{} // has something in it if there is news
	ended   chan error    // has something in it when the watch has ended
}

// frame is what the tracker reads of an event.
type frame struct {
	Type   string
	Object struct {
		Metadata struct{ Name string }
		Status   map[string]json.RawMessage
	}
}

// track begins to watch. The watch ends with ctx.
func (c *cluster) track(ctx context.Context, k kind) (*tracker, error) {
	response, err := c.do(ctx, http.MethodGet, api+"/"+k.plural+"?watch=1&timeoutSeconds=3600", "")
	if err != nil {
		return nil, err
	}
	t := &tracker{kind: k, handled: map[string]bool{}, changed: make(chan struct{}, 1), ended: make(chan error, 1)}
	go func() {
		defer response.Body.Close()
		frames := json.NewDecoder(response.Body)
		for {
			var f frame
			if err := frames.Decode(&f); err != nil {
				t.ended <- fmt.Errorf("watch %s: %w", k.plural, err)
				return
			}
			t.see(f)
		}
	}()
	return t, nil
}

// see takes in one event.
func (t *tracker) see(f frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := f.Object.Metadata.Name
	if t.handled[name] {
		t.ready--
	}
	if f.Type == "DELETED" {
		delete(t.handled, name)
	} else {
		results := 0
		for key := range f.Object.Status {
			if strings.HasPrefix(key, "make") {
				results++
			}
		}
		t.handled[name] = results >= t.kind.handlers
		if t.handled[name] {
			t.ready++
		}
	}
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// until waits until there are so many objects and all of them are handled, or none of them is if that is not wanted. Should the
// operator, which may be nil, end before, or nothing happen for a long time, it returns an error.
func (t *tracker) until(ctx context.Context, r *running, objects int, handled bool) error {
	var gone chan struct{}
	if r != nil {
		gone = r.done
	}
	for {
		t.mu.Lock()
		known, ready := len(t.handled), t.ready
		t.mu.Unlock()
		if known == objects && (!handled || ready == objects) {
			return nil
		}
		select {
		case <-t.changed:
		case err := <-t.ended:
			return err
		case <-gone:
			return r.ended()
		case <-time.After(patience):
			return fmt.Errorf("nothing happens: %d objects, %d handled, while waiting for %d", known, ready, objects)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
