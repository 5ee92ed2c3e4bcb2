package facts

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// answering says how the answers to requests relate to the events that they cause.
var answering = []Fact{
	{"answers are byte for byte the objects in the events of the same version", func(t *testing.T, s *session) {
		first := s.create(gadgets, "bytes", `"labels": {"fact": "bytes"}, "finalizers": ["`+finalizer+`"]`, "")
		events := s.watchFrom(gadgets, first.version(), "labelSelector", "fact in (bytes)")
		for _, step := range []struct {
			kind string
			do   func() *answer
		}{
			{"ADDED", func() *answer {
				return s.create(gadgets, "bytes-too", `"labels": {"fact": "bytes"}`, `"spec": {"note": "<&>", "unknown": 1}`)
			}},
			{"MODIFIED", func() *answer {
				return s.patch(gadgets, "bytes", mergePatch, `{"spec": {"size": null, "tier": "web"}}`)
			}},
			{"MODIFIED", func() *answer {
				return s.patch(gadgets, "bytes/status", mergePatch, `{"status": {"phase": "new", "unknown": 1}}`)
			}},
			{"MODIFIED", func() *answer {
				return s.patch(gadgets, "bytes", jsonPatch, `[{"op": "add", "path": "/metadata/annotations", "value": {"a": "é"}}]`)
			}},
			{"MODIFIED", func() *answer { return s.delete(gadgets, "bytes") }},
		} {
			answer := step.do()
			if event := events.next(step.kind); !bytes.Equal(answer.body, event.body) {
				t.Errorf("%s: the answer is\n%s\nand the event\n%s", step.kind, answer.body, event.body)
			}
		}
	}},
	{"an event may arrive before the answer to the request that caused it, or after", func(t *testing.T, s *session) {
		created := s.create(gadgets, "race", `"labels": {"fact": "race"}`, "")
		events := s.watchFrom(gadgets, created.version(), "labelSelector", "fact=race")
		var eventFirst, answerFirst int
		const attempts = 1000
		for i := range attempts {
			s.require(http.StatusOK, s.patch(gadgets, "race", mergePatch, fmt.Sprintf(`{"spec": {"size": %d}}`, i+10)))
			answered := time.Now()
			if events.next("MODIFIED").received.Before(answered) {
				eventFirst++
			} else {
				answerFirst++
			}
			if eventFirst > 0 && answerFirst > 0 {
				return
			}
		}
		t.Errorf("of %d events %d came first", attempts, eventFirst)
	}},
	{"the patch that removes the last finalizer answers with an unchanged version, and the DELETED has a newer one", func(t *testing.T, s *session) {
		s.create(gadgets, "finalized", `"labels": {"fact": "finalized"}, "finalizers": ["`+finalizer+`"]`, "")
		deleting := s.delete(gadgets, "finalized")
		events := s.watchFrom(gadgets, deleting.version(), "labelSelector", "fact=finalized")
		removed := s.require(http.StatusOK, s.patch(gadgets, "finalized", mergePatch, `{"metadata": {"finalizers": []}}`))
		if removed.version() != deleting.version() {
			t.Errorf("version of the answer: got %s, want %s", removed.version(), deleting.version())
		}
		if deleted := events.next("DELETED"); deleted.version() == removed.version() {
			t.Errorf("version of the DELETED: got %s, want a newer one", deleted.version())
		}
	}},
	{"a patch that changes nothing answers the newest state, without a new version or an event", func(t *testing.T, s *session) {
		created := s.create(gadgets, "no-op", `"labels": {"fact": "no-op"}`, "")
		events := s.watchFrom(gadgets, created.version(), "labelSelector", "fact=no-op")
		for _, nothing := range []string{`{}`, fmt.Sprintf(`{"metadata": {"uid": %q}}`, created.at("metadata.uid")), `{"spec": {"size": 3}}`} {
			if same := s.require(http.StatusOK, s.patch(gadgets, "no-op", mergePatch, nothing)); !bytes.Equal(same.body, created.body) {
				t.Errorf("answer to %s: got\n%s\nwant\n%s", nothing, same.body, created.body)
			}
		}
		changed := s.require(http.StatusOK, s.patch(gadgets, "no-op", mergePatch, `{"spec": {"size": 4}}`))
		if event := events.next("MODIFIED"); event.version() != changed.version() {
			t.Errorf("the first event has version %s, want that of the first change, %s", event.version(), changed.version())
		}
	}},
}
