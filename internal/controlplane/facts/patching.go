package facts

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// elsewhere is a uid that no object has.
const elsewhere = "00000000-0000-4000-8000-000000000000"

// patching says which preconditions hold, and which changes are refused, ignored or obeyed.
var patching = []Fact{
	{"a foreign uid in a merge patch is refused with 422", func(t *testing.T, s *session) {
		for _, r := range []resource{gadgets, configMaps} {
			s.create(r, "uid", "", "")
			if refused := s.patch(r, "uid", mergePatch, `{"metadata": {"uid": "`+elsewhere+`", "labels": {"a": "b"}}}`); refused.status != http.StatusUnprocessableEntity ||
				!strings.Contains(string(refused.body), "field is immutable") {
				t.Errorf("%s: got status %d: %s", r.kind, refused.status, refused.body)
			}
		}
	}},
	{"a foreign uid in a merge patch of the status is ignored", func(t *testing.T, s *session) {
		s.create(gadgets, "uid-status", "", "")
		patched := s.require(http.StatusOK, s.patch(gadgets, "uid-status/status", mergePatch, `{"metadata": {"uid": "`+elsewhere+`"}, "status": {"phase": "written"}}`))
		if got := patched.at("status.phase"); got != "written" {
			t.Errorf("phase: got %v", got)
		}
	}},
	{"an old version in a merge patch is refused with 409, for the object and for its status", func(t *testing.T, s *session) {
		created := s.create(gadgets, "version", "", "")
		s.require(http.StatusOK, s.patch(gadgets, "version", mergePatch, `{"spec": {"size": 4}}`))
		for _, target := range []string{"version", "version/status"} {
			old := fmt.Sprintf(`{"metadata": {"resourceVersion": %q}, "spec": {"size": 5}, "status": {"phase": "late"}}`, created.version())
			if got := s.patch(gadgets, target, mergePatch, old); got.status != http.StatusConflict {
				t.Errorf("%s: got status %d: %s", target, got.status, got.body)
			}
		}
	}},
	{"a JSON patch that tests the uid is a precondition for the status, which a merge patch cannot express", func(t *testing.T, s *session) {
		created := s.create(gadgets, "test-uid", "", "")
		for uid, want := range map[any]int{
			created.at("metadata.uid"): http.StatusOK,
			elsewhere:                  http.StatusUnprocessableEntity,
		} {
			patch := fmt.Sprintf(`[{"op": "test", "path": "/metadata/uid", "value": %q}, {"op": "add", "path": "/status", "value": {"phase": "new"}}]`, uid)
			if got := s.patch(gadgets, "test-uid/status", jsonPatch, patch); got.status != want {
				t.Errorf("uid %v: got status %d, want %d: %s", uid, got.status, want, got.body)
			}
		}
	}},
	{"a JSON patch that tests uid and finalizer removes the finalizer after unrelated changes", func(t *testing.T, s *session) {
		created := s.create(gadgets, "test-finalizer", `"finalizers": ["`+finalizer+`"]`, "")
		s.require(http.StatusOK, s.patch(gadgets, "test-finalizer", mergePatch, `{"spec": {"size": 4}}`))
		remove := fmt.Sprintf(`[{"op": "test", "path": "/metadata/uid", "value": %q},
			{"op": "test", "path": "/metadata/finalizers/0", "value": %q},
			{"op": "remove", "path": "/metadata/finalizers/0"}]`, created.at("metadata.uid"), finalizer)
		removed := s.require(http.StatusOK, s.patch(gadgets, "test-finalizer", jsonPatch, remove))
		if got := removed.at("metadata.finalizers"); got != nil {
			t.Errorf("finalizers: got %v", got)
		}
		if again := s.patch(gadgets, "test-finalizer", jsonPatch, remove); again.status != http.StatusUnprocessableEntity {
			t.Errorf("the second time: got status %d: %s", again.status, again.body)
		}
	}},
	{"changes of what the server keeps are ignored with 200", func(t *testing.T, s *session) {
		created := s.create(gadgets, "kept", "", "")
		for _, change := range []string{
			`{"metadata": {"generation": 77}}`,
			`{"metadata": {"creationTimestamp": "2001-01-01T00:00:00Z"}}`,
			`{"metadata": {"deletionTimestamp": null}}`,
			`{"metadata": {"uid": null}}`,
		} {
			if got := s.require(http.StatusOK, s.patch(gadgets, "kept", mergePatch, change)); got.version() != created.version() {
				t.Errorf("%s: got %s", change, got.body)
			}
		}
	}},
	{"generateName and managedFields are obeyed, though nobody should set them", func(t *testing.T, s *session) {
		s.create(gadgets, "obeyed", "", "")
		patched := s.require(http.StatusOK, s.patch(gadgets, "obeyed", mergePatch, `{"metadata": {"generateName": "x-", "managedFields": [
			{"manager": "me", "operation": "Update", "apiVersion": "facts.kopf.dev/v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:note": {}}}}]}}`))
		if got := patched.at("metadata.generateName"); got != "x-" {
			t.Errorf("generateName: got %v", got)
		}
		if got, _ := json.Marshal(patched.at("metadata.managedFields")); !strings.Contains(string(got), `"manager":"me"`) {
			t.Errorf("managedFields: got %s", got)
		}
	}},
	{"changes of what identifies an object, and of its time of deletion, are refused", func(t *testing.T, s *session) {
		s.create(gadgets, "identity", "", "")
		for _, change := range []string{
			`{"metadata": {"name": "other"}}`,
			`{"metadata": {"namespace": "kube-system"}}`,
			`{"metadata": {"uid": "` + elsewhere + `"}}`,
			`{"metadata": {"deletionTimestamp": "2001-01-01T00:00:00Z"}}`,
			`{"kind": "Blob"}`,
		} {
			if got := s.patch(gadgets, "identity", mergePatch, change); got.status < 400 || got.status >= 500 {
				t.Errorf("%s: got status %d: %s", change, got.status, got.body)
			}
		}
	}},
	{"a patch of the object drops its status, and one of the status drops the rest", func(t *testing.T, s *session) {
		const both = `{"metadata": {"labels": {"a": "b"}, "annotations": {"a": "b"}}, "spec": {"size": 9}, "status": {"phase": "new"}}`
		s.create(gadgets, "halves", "", "")
		status := s.require(http.StatusOK, s.patch(gadgets, "halves/status", mergePatch, both))
		if size := fmt.Sprint(status.at("spec.size")); size != "3" || status.at("metadata.labels") != nil || status.at("metadata.annotations") != nil || status.at("status.phase") != "new" {
			t.Errorf("patch of the status: got %s", status.body)
		}
		s.create(gadgets, "other-half", "", "")
		object := s.require(http.StatusOK, s.patch(gadgets, "other-half", mergePatch, both))
		if size := fmt.Sprint(object.at("spec.size")); size != "9" || object.at("metadata.labels.a") != "b" || object.at("status") != nil {
			t.Errorf("patch of the object: got %s", object.body)
		}
	}},
	{"a status that the schema prunes is accepted, makes a version and an event, and is nowhere", func(t *testing.T, s *session) {
		created := s.create(gadgets, "pruned", `"labels": {"fact": "pruned"}`, "")
		events := s.watchFrom(gadgets, created.version(), "labelSelector", "fact=pruned")
		patched := s.require(http.StatusOK, s.patch(gadgets, "pruned/status", mergePatch, `{"status": {"result": {"a": 1}}}`))
		if got, _ := json.Marshal(patched.at("status")); string(got) != "{}" {
			t.Errorf("status: got %s, want {}", got)
		}
		if event := events.next("MODIFIED"); event.version() == created.version() || event.version() != patched.version() {
			t.Errorf("version: got %s, then %s", patched.version(), event.version())
		}
	}},
	{"null for a field with a default gives the default back", func(t *testing.T, s *session) {
		s.create(gadgets, "default", "", `"spec": {"size": 7}`)
		patched := s.require(http.StatusOK, s.patch(gadgets, "default", mergePatch, `{"spec": {"size": null}}`))
		if got := patched.at("spec.size"); got != json.Number("3") {
			t.Errorf("size: got %v, want 3", got)
		}
	}},
	{"a patch of an annotation through a version whose schema lacks a field removes that field", func(t *testing.T, s *session) {
		s.create(gadgets, "two-versions", "", `"spec": {"note": "precious"}`)
		s.require(http.StatusOK, s.patch(gadgetsV2, "two-versions", mergePatch, `{"metadata": {"annotations": {"a": "b"}}}`))
		if got := s.get(gadgets, "two-versions").at("spec.note"); got != nil {
			t.Errorf("note: got %v, want that it is lost", got)
		}
	}},
}
