package patch

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// ErrGone says that the object does not exist any more. Another of the same name may.
var ErrGone = errors.New("the object is gone")

// errMoved says that the object is newer than the state that a part of the plan was made for.
var errMoved = errors.New("the object has moved on")

// errReleased ends the work on an object that is about to vanish.
var errReleased = errors.New("the object is released")

// RejectedError says that the API server refused the content of a patch: it does not fit the schema, or is too large. Sending the same again
// would not help.
type RejectedError struct {
	Part string // one of the parts below
	Err  error  // names the object
}

// The parts of a plan, as messages name them.
const (
	PartObject = "the object"
	PartStatus = "the status"
	PartTested = "functions and finalizers"
)

func (e *RejectedError) Error() string {
	return fmt.Sprintf("the API server refuses %s: %v", e.Part, e.Err)
}

func (e *RejectedError) Unwrap() error { return e.Err }

const (
	notFound      = http.StatusNotFound
	conflict      = http.StatusConflict
	unprocessable = http.StatusUnprocessableEntity
)

// rejected tells whether an error is about the content of the patch.
func rejected(err error) bool {
	switch api.Code(err) {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, unprocessable:
		return true
	}
	return false
}

// isNamesake tells whether an error says that the object has another uid than the patch names. The uid is immutable, so a merge patch that
// names it is a precondition.
func isNamesake(err error) bool {
	status, ok := api.StatusOf(err)
	if !ok || status.Code != unprocessable || status.Details == nil {
		return false
	}
	return slices.ContainsFunc(status.Details.Causes, func(c metav1.StatusCause) bool { return c.Field == "metadata.uid" })
}

// released tells whether an answer released the object: it is being deleted and nobody holds it any more. The API server deletes it with
// that very request, and answers with the state and version before; so the answer is no new state.
func released(answer []byte, t Target) bool {
	if !bytes.Contains(answer, []byte(`"deletionTimestamp"`)) {
		return false
	}
	state, err := tree.DecodeObject(answer)
	return err == nil && isReleased(state, t)
}

// isReleased is the API server's rule for deleting an object in an update. Namespaces have finalizers in their spec as well.
func isReleased(state map[string]any, t Target) bool {
	metadata := tree.Object(state, "metadata")
	if tree.String(metadata, "deletionTimestamp") == "" || len(finalizers(state)) > 0 {
		return false
	}
	if grace, ok := metadata["deletionGracePeriodSeconds"]; ok && !tree.Equal(grace, int64(0)) {
		return false
	}
	if t.Resource.Group == "" && t.Resource.Plural == "namespaces" {
		held, _ := tree.Get(state, "spec", "finalizers")
		list, _ := held.([]any)
		return len(list) == 0
	}
	return true
}

// notePruned notes what was written to the status and is not in the answer.
func (s *sender) notePruned(doc map[string]any) {
	state, err := s.newest()
	if err != nil {
		return // the next step reports it
	}
	if status, ok := doc["status"]; ok {
		s.sent.Pruned = append(s.sent.Pruned, lacking("status", status, state["status"])...)
	}
}

// lacking returns the paths at which an answer has nothing although something was sent.
func lacking(path string, sent, got any) []string {
	if sent == nil {
		return nil
	}
	if got == nil {
		return []string{path}
	}
	var out []string
	switch sent := sent.(type) {
	case map[string]any:
		if got, ok := got.(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(sent)) {
				out = append(out, lacking(path+"."+name, sent[name], got[name])...)
			}
		}
	case []any:
		if got, ok := got.([]any); ok && len(got) == len(sent) {
			for i := range sent {
				out = append(out, lacking(path+"["+strconv.Itoa(i)+"]", sent[i], got[i])...)
			}
		}
	}
	return out
}
