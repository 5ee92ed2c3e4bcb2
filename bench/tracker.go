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
	handled map[string]bool // by name; false for those that are still to be handled. nil before the first list
	ready   int             // those that have been
	mu      sync.Mutex
	changed chan struct{} // has something in it if there is news
	ended   chan error    // has something in it when the watch has ended
}

// object is what the tracker reads of an object, and frame of an event.
type object struct {
	Metadata struct{ Name string }
	Status   map[string]json.RawMessage
}

type frame struct {
	Type   string
	Object object
}

// track begins to list and watch, and goes on until ctx ends. The server may end a watch at any time, and does so with clients that are
// too slow for it; then it begins again.
func (c *cluster) track(ctx context.Context, k kind) *tracker {
	t := &tracker{kind: k, changed: make(chan struct{}, 1), ended: make(chan error, 1)}
	go func() {
		for {
			if err := c.follow(ctx, t); err != nil {
				t.ended <- fmt.Errorf("follow the %s: %w", k.plural, err)
				return
			}
		}
	}()
	return t
}

// follow lists once, and watches from there until the watch ends.
func (c *cluster) follow(ctx context.Context, t *tracker) error {
	path := api + "/" + t.kind.plural
	var list struct {
		Metadata struct{ ResourceVersion string }
		Items    []object
	}
	response, err := c.do(ctx, http.MethodGet, path, "")
	if err != nil {
		return err
	}
	err = json.NewDecoder(response.Body).Decode(&list)
	response.Body.Close()
	if err != nil {
		return err
	}
	t.replace(list.Items)
	response, err = c.do(ctx, http.MethodGet, path+"?watch=1&timeoutSeconds=3600&resourceVersion="+list.Metadata.ResourceVersion, "")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	frames := json.NewDecoder(response.Body)
	for {
		var f frame
		if err := frames.Decode(&f); err != nil || f.Type == "ERROR" {
			return ctx.Err()
		}
		t.see(f)
	}
}

// replace takes in a list.
func (t *tracker) replace(objects []object) {
	t.mu.Lock()
	t.handled, t.ready = make(map[string]bool, len(objects)), 0
	for _, o := range objects {
		t.set(o)
	}
	t.mu.Unlock()
	t.tell()
}

// see takes in one event.
func (t *tracker) see(f frame) {
	t.mu.Lock()
	if f.Type == "DELETED" {
		t.forget(f.Object.Metadata.Name)
	} else {
		t.set(f.Object)
	}
	t.mu.Unlock()
	t.tell()
}

func (t *tracker) set(o object) {
	t.forget(o.Metadata.Name)
	results := 0
	for key := range o.Status {
		if strings.HasPrefix(key, "make") {
			results++
		}
	}
	done := results >= t.kind.handlers
	t.handled[o.Metadata.Name] = done
	if done {
		t.ready++
	}
}

func (t *tracker) forget(name string) {
	if t.handled[name] {
		t.ready--
	}
	delete(t.handled, name)
}

// tell wakes who waits for news.
func (t *tracker) tell() {
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
		listed, known, ready := t.handled != nil, len(t.handled), t.ready
		t.mu.Unlock()
		if listed && known == objects && (!handled || ready == objects) {
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
