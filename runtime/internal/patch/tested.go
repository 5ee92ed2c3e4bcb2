package patch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// sendTested sends what depends on the state it finds: finalizers, which others add and remove too, and what functions make of the object.
// Both travel in one JSON patch that tests what it relies on. Where a test fails, the newest state is read and all is made anew.
func (s *sender) sendTested(ctx context.Context) error {
	for try := 1; len(s.left.AddFinalizers)+len(s.left.RemoveFinalizers)+len(s.left.Funcs) > 0; try++ {
		err := s.tryTested(ctx)
		switch {
		case err == nil:
			s.left.dropTested()
		case api.Code(err) == unprocessable || api.Code(err) == conflict:
			if try == tries {
				return errMoved
			}
			moved, readErr := s.reread(ctx)
			if readErr != nil {
				return readErr
			}
			// The API server answers 422 to a failed test as well as to what does not fit the schema. If nothing has moved, it is the latter.
			if !moved && rejected(err) {
				return s.rejectTested(err)
			}
			if !moved {
				return err
			}
		case rejected(err):
			return s.rejectTested(err)
		default:
			return err
		}
	}
	return nil
}

// tryTested makes the operations for the newest state and sends them, those of the status apart where it is.
func (s *sender) tryTested(ctx context.Context) error {
	state, err := s.newest()
	if err != nil {
		return err
	}
	body, status := s.operations(state)
	if len(body) > 0 {
		if err := s.patch(ctx, "", types.JSONPatchType, body); err != nil {
			return err
		}
		if state, err = s.newest(); err != nil {
			return err
		}
	}
	if len(status) > 0 {
		return s.patch(ctx, "status", types.JSONPatchType, append(s.tests(state), status...))
	}
	return nil
}

// reread reads the newest state and tells whether it is another than the last one.
func (s *sender) reread(ctx context.Context) (bool, error) {
	before, err := s.newest()
	if err != nil {
		return false, err
	}
	if err := s.read(ctx); err != nil {
		return false, err
	}
	after, err := s.newest()
	return err == nil && version(before) != version(after), err
}

func (s *sender) rejectTested(err error) error {
	s.left.dropTested()
	return &RejectedError{Part: PartTested, Err: err}
}

// operations returns the JSON patches of the object, with its tests, and of the status, without.
func (s *sender) operations(state map[string]any) (body, status []operation) {
	edited := s.callFuncs(state)
	for _, op := range difference(state, edited) {
		if s.target.Resource.HasStatus && op.within("/status") {
			status = append(status, op)
		} else {
			body = append(body, op)
		}
	}
	if len(body) == 0 {
		return finalizerOperations(state, s.target.UID, s.left.AddFinalizers, s.left.RemoveFinalizers), status
	}
	// The functions rely on the version anyway, so the finalizers may as well.
	edited = withFinalizers(edited, s.left.AddFinalizers, s.left.RemoveFinalizers)
	body = s.tests(state)
	for _, op := range difference(state, edited) {
		if !s.target.Resource.HasStatus || !op.within("/status") {
			body = append(body, op)
		}
	}
	return body, status
}

// tests are for operations that hold for one version only. Unlike a merge patch, a JSON patch can name the uid on the status, too.
func (s *sender) tests(state map[string]any) []operation {
	return []operation{test("/metadata/uid", s.target.UID), test("/metadata/resourceVersion", version(state))}
}

// callFuncs returns what the functions make of a state. One that fails is dropped, with what it did.
func (s *sender) callFuncs(state map[string]any) map[string]any {
	s.left.Funcs = slices.DeleteFunc(slices.Clone(s.left.Funcs), func(f func(map[string]any) error) bool {
		edited, err := callFunc(f, state)
		if err != nil {
			s.failed = errors.Join(s.failed, fmt.Errorf("patching %s: %w", s.target, err))
			return true
		}
		state = edited
		return false
	})
	return state
}

// callFunc calls a function on a copy, and decodes what it made, since it may have put any Go values there.
func callFunc(f func(map[string]any) error, state map[string]any) (edited map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a function of the patch panicked: %v\n%s", r, debug.Stack())
		}
	}()
	object := tree.Copy(state).(map[string]any)
	if err := f(object); err != nil {
		return nil, fmt.Errorf("a function of the patch failed: %w", err)
	}
	made, err := tree.Of(object)
	if err != nil {
		return nil, fmt.Errorf("a function of the patch made no JSON: %w", err)
	}
	return made.(map[string]any), nil
}
