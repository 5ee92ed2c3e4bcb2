package main

import (
	"encoding/json"
	"testing"
)

func TestTrackerCountsWhatIsHandled(t *testing.T) {
	tracked := &tracker{kind: kind{handlers: 2}, handled: map[string]bool{}, changed: make(chan struct{}, 1)}
	for _, step := range []struct {
		event        string
		known, ready int
	}{
		{`{"type":"ADDED","object":{"metadata":{"name":"a"}}}`, 1, 0},
		{`{"type":"MODIFIED","object":{"metadata":{"name":"a"},"status":{"make1":{},"other":1}}}`, 1, 0},
		{`{"type":"MODIFIED","object":{"metadata":{"name":"a"},"status":{"make1":{},"make2":{}}}}`, 1, 1},
		{`{"type":"MODIFIED","object":{"metadata":{"name":"a"},"status":{"make1":{},"make2":{}}}}`, 1, 1},
		{`{"type":"ADDED","object":{"metadata":{"name":"b"}}}`, 2, 1},
		{`{"type":"DELETED","object":{"metadata":{"name":"a"},"status":{"make1":{},"make2":{}}}}`, 1, 0},
	} {
		var f frame
		if err := json.Unmarshal([]byte(step.event), &f); err != nil {
			t.Fatal(err)
		}
		tracked.see(f)
		if known := len(tracked.handled); known != step.known || tracked.ready != step.ready {
			t.Errorf("after %s: %d known, %d handled, want %d and %d", step.event, known, tracked.ready, step.known, step.ready)
		}
	}
	tracked.replace([]object{{}, {Status: map[string]json.RawMessage{"make1": nil, "make2": nil}}})
	if known := len(tracked.handled); known != 1 || tracked.ready != 1 {
		t.Errorf("after a list: %d known, %d handled, want 1 and 1", known, tracked.ready)
	}
}
