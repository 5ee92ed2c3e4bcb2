package patch

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// tries bounds how often a JSON patch is made anew for a state that has moved meanwhile.
const tries = 3

// Client sends patches; *api.Client does.
type Client interface {
	Patch(ctx context.Context, path string, kind types.PatchType, body []byte, query url.Values) ([]byte, error)
}

// Target is the object that is meant: this one, not a later one of the same name.
type Target struct {
	Resource             api.Resource
	Namespace, Name, UID string
}

// String names the object for messages.
func (t Target) String() string {
	if t.Namespace == "" {
		return t.Resource.String() + " " + t.Name
	}
	return t.Resource.String() + " " + t.Namespace + "/" + t.Name
}

// Sent is what came of a plan.
type Sent struct {
	// Newest is the newest state that the API server answered. It is nil if nothing was answered, and the answer that released the object
	// is not counted: it has the version of the state before it, and what follows is the deletion.
	Newest []byte
	// Gone tells that the object does not exist any more; another of its name may.
	Gone bool
	// Released tells that the last finalizer of an object being deleted was removed.
	Released bool
	// Left is what was not written and is still to be; nil is nothing. The plan holds for newer states too.
	Left *Plan
	// NoSubresource tells that the resource turned out to have no status sub-resource any more; the status was written with the object.
	NoSubresource bool
	// Requests counts them.
	Requests int
	// Pruned are the dotted paths under status that were written and are not in the answer: the schema of the resource lacks them.
	Pruned []string
}

// Send writes a plan to an object, given its newest state; without one, the state is read first. What would change nothing is not sent.
//
// The object comes before its status, and both before the JSON patch with finalizers and functions. If the object has moved on and a part
// of the plan holds for its version only, or keeps moving under the functions, the rest is left over and there is no error. An object that
// is gone is no error either.
//
// On errors that may not recur (no answer, 5xx, 429, 403) all that is unwritten, or whose fate is unknown, is left over. If the
// API server refuses the content, the error is a *RejectedError: the refused part is dropped, and what would have come after it is left
// over. A function that fails is dropped, and the rest is written.
func Send(ctx context.Context, c Client, t Target, newest []byte, plan *Plan) (Sent, error) {
	if plan.Empty() {
		return Sent{}, nil
	}
	s := &sender{client: c, target: t, answer: newest, left: *plan}
	err := s.send(ctx)
	if errors.Is(err, ErrGone) {
		s.sent.Gone = true
		return s.sent, s.failed
	}
	if !s.sent.Released && !s.left.Empty() {
		left := s.left
		s.sent.Left = &left
	}
	if errors.Is(err, errMoved) || errors.Is(err, errReleased) {
		err = nil
	}
	return s.sent, errors.Join(s.failed, err)
}

// sender is one call of Send.
type sender struct {
	client Client
	target Target
	answer []byte         // the newest state
	state  map[string]any // decoded, if it was needed
	left   Plan           // what is not written yet
	sent   Sent
	failed error // of functions
}

func (s *sender) send(ctx context.Context) error {
	if len(s.answer) == 0 {
		if err := s.read(ctx); err != nil {
			return err
		}
	}
	if _, err := s.newest(); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{s.mergeObject, s.mergeStatus, s.sendTested} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// mergeObject sends the merge patch of the object.
func (s *sender) mergeObject(ctx context.Context) error {
	state, err := s.newest()
	if err != nil {
		return err
	}
	apart := s.target.Resource.HasStatus
	doc, versioned := s.left.composeObject(state), s.left.Versioned
	if !apart {
		doc, versioned = overlay(doc, s.left.composeStatus(state)), versioned || s.left.StatusVersioned
	}
	doc = trim(state, doc)
	if changes(state, doc) {
		body := overlay(doc, map[string]any{"metadata": map[string]any{"uid": s.target.UID}})
		if versioned {
			tree.Set(body, version(state), "metadata", "resourceVersion")
		}
		switch err := s.patch(ctx, "", types.MergePatchType, body); {
		case api.Code(err) == conflict && versioned:
			return errMoved
		case rejected(err):
			s.left.dropObject()
			if !apart {
				s.left.dropStatus()
			}
			return &RejectedError{Part: PartObject, Err: err}
		case err != nil:
			return err
		}
		if !apart {
			s.notePruned(doc)
		}
	}
	s.left.dropObject()
	if !apart {
		s.left.dropStatus()
	}
	return nil
}

// mergeStatus sends the merge patch of the status, where it is apart. The sub-resource ignores the uid, so the version stands for it: on a
// conflict the object is read by its uid, and if it is still the same, the patch is made once more.
func (s *sender) mergeStatus(ctx context.Context) error {
	if len(s.left.Status) == 0 {
		return nil
	}
	for again := false; ; again = true {
		state, err := s.newest()
		if err != nil {
			return err
		}
		doc := trim(state, s.left.composeStatus(state))
		if !changes(state, doc) {
			break
		}
		body := overlay(doc, map[string]any{"metadata": map[string]any{"resourceVersion": version(state)}})
		err = s.patch(ctx, "status", types.MergePatchType, body)
		switch {
		case err == nil:
			s.notePruned(doc)
			s.left.dropStatus()
			return nil
		case api.Code(err) == conflict && again:
			return errMoved
		case api.Code(err) == conflict:
			if err := s.read(ctx); err != nil {
				return err
			}
		case errors.Is(err, ErrGone):
			return s.withoutSubresource(ctx)
		case rejected(err):
			s.left.dropStatus()
			return &RejectedError{Part: PartStatus, Err: err}
		default:
			return err
		}
	}
	s.left.dropStatus()
	return nil
}

// withoutSubresource decides what it means that the object has no status to patch: either the object is gone, or the resource has lost its
// sub-resource, as a CRD can; then the status is a part of the object.
func (s *sender) withoutSubresource(ctx context.Context) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	s.target.Resource.HasStatus, s.sent.NoSubresource = false, true
	return s.mergeObject(ctx)
}

// patch sends one patch and keeps the answer as the newest state.
func (s *sender) patch(ctx context.Context, subresource string, kind types.PatchType, body any) error {
	s.sent.Requests++
	answer, err := send(ctx, s.client, s.target, subresource, kind, body)
	if err != nil {
		return err
	}
	if released(answer, s.target) {
		s.sent.Released = true
		return errReleased
	}
	s.answer, s.state = answer, nil
	s.sent.Newest = answer
	return nil
}

// read gets the newest state.
func (s *sender) read(ctx context.Context) error {
	s.sent.Requests++
	answer, err := NoOp(ctx, s.client, s.target)
	if err != nil {
		return err
	}
	s.answer, s.state = answer, nil
	s.sent.Newest = answer
	return nil
}

// newest returns the newest state, which must not be changed.
func (s *sender) newest() (map[string]any, error) {
	if s.state == nil {
		state, err := tree.DecodeObject(s.answer)
		if err != nil {
			return nil, fmt.Errorf("the state of %s: %w", s.target, err)
		}
		s.state = state
	}
	return s.state, nil
}

func version(state map[string]any) string { return tree.String(state, "metadata", "resourceVersion") }

// NoOp returns the newest state of an object by a patch that changes nothing: it makes no version and no event, and needs no right but
// that to patch. The error is ErrGone if the object does not exist any more, even if another has its name.
func NoOp(ctx context.Context, c Client, t Target) ([]byte, error) {
	return send(ctx, c, t, "", types.MergePatchType, map[string]any{"metadata": map[string]any{"uid": t.UID}})
}

// send makes one request.
func send(ctx context.Context, c Client, t Target, subresource string, kind types.PatchType, body any) ([]byte, error) {
	data, err := tree.Encode(body)
	if err != nil {
		return nil, fmt.Errorf("patching %s: %w", t, err)
	}
	answer, err := c.Patch(ctx, t.Resource.Path(t.Namespace, t.Name, subresource), kind, data, nil)
	switch {
	case err == nil:
		return answer, nil
	case api.Code(err) == notFound || isNamesake(err):
		return nil, fmt.Errorf("patching %s: %w", t, ErrGone)
	}
	return nil, fmt.Errorf("patching %s: %w", t, err)
}
