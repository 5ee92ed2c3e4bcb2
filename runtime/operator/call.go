package operator

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"time"

	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

// Call is one call of a handler. V is the view that the handler needs of its object: the whole type, or a struct of some of its parts. A
// bound method takes from it what the author's function asks for. Everything that it hands out is the call's own.
type Call[V any] struct {
	attempt    *handling.Attempt
	view       V
	editing    *editing
	patch      *kopf.Patch
	intoStatus bool
}

// editing is what is remembered of a view that was handed out for editing.
type editing struct {
	// parts are the members that count; none means all.
	parts []string
	// before is the view as it was handed out; err says why it could not be encoded.
	before []byte
	err    error
}

// Object returns the view of the object.
func (c *Call[V]) Object() V { return c.view }

// Edit returns the view for editing: what the handler changes in it is patched back. The parts, if any, name the members of the object
// that count, such as "status"; changes elsewhere in the view are not looked at.
func (c *Call[V]) Edit(parts ...string) *V {
	switch {
	case c.editing == nil:
		c.editing = &editing{parts: parts}
		c.editing.before, c.editing.err = json.Marshal(&c.view)
	case len(parts) == 0 || len(c.editing.parts) == 0:
		c.editing.parts = nil
	default:
		c.editing.parts = append(slices.Clip(c.editing.parts), parts...)
	}
	return &c.view
}

// Raw returns the whole object as JSON, without managedFields.
func (c *Call[V]) Raw() kopf.Raw { return append(kopf.Raw(nil), c.attempt.Object...) }

// Name returns the object's name.
func (c *Call[V]) Name() string { return c.attempt.Name }

// Namespace returns the object's namespace, empty for a kind without namespaces.
func (c *Call[V]) Namespace() string { return c.attempt.Namespace }

// UID returns the object's uid.
func (c *Call[V]) UID() string { return c.attempt.UID }

// Labels returns a copy of the object's labels.
func (c *Call[V]) Labels() map[string]string { return maps.Clone(c.attempt.Labels) }

// Annotations returns a copy of the object's annotations.
func (c *Call[V]) Annotations() map[string]string { return maps.Clone(c.attempt.Annotations) }

// Label returns one label and whether it is there.
func (c *Call[V]) Label(key string) (string, bool) {
	v, ok := c.attempt.Labels[key]
	return v, ok
}

// Annotation returns one annotation and whether it is there.
func (c *Call[V]) Annotation(key string) (string, bool) {
	v, ok := c.attempt.Annotations[key]
	return v, ok
}

// Logger returns a logger whose records name the object and the handler.
func (c *Call[V]) Logger() *slog.Logger { return c.attempt.Logger }

// Reason says why the handler is called.
func (c *Call[V]) Reason() kopf.Reason { return c.attempt.Reason }

// EventType says what the event tells of the object, for handlers of events.
func (c *Call[V]) EventType() kopf.EventType { return c.attempt.EventType }

// Diff lists what changed, relative to the handler's field if it has one.
func (c *Call[V]) Diff() kopf.Diff { return c.attempt.Diff }

// Patch returns the patch that the handler may fill.
func (c *Call[V]) Patch() *kopf.Patch {
	if c.patch == nil {
		c.patch = new(kopf.Patch)
	}
	return c.patch
}

// Retry returns how many attempts this handler has had before this one, for this change.
func (c *Call[V]) Retry() int { return c.attempt.Retry }

// Failure returns why the handler was given up, for the function that is called then; nil for handlers themselves.
func (c *Call[V]) Failure() error { return c.attempt.Failure }

// Started returns when the handler was first due for this change.
func (c *Call[V]) Started() time.Time { return c.attempt.Started }

// Runtime returns the time since Started.
func (c *Call[V]) Runtime() time.Duration { return time.Since(c.attempt.Started) }

// Config returns a copy of the configuration with which the operator reaches the API server.
func (c *Call[V]) Config() *rest.Config { return rest.CopyConfig(c.attempt.Config) }

// IntoStatus passes on what a function returned whose result is of the type of the status: fields that are not zero are merged into the
// status itself, instead of being stored under the handler's id.
func (c *Call[V]) IntoStatus(result any, err error) (any, error) {
	c.intoStatus = true
	return result, err
}

// outcome gathers what the call left behind.
func (c *Call[V]) outcome(result any, err error) handling.Outcome {
	out := handling.Outcome{Patch: c.patch, Err: err}
	if e := c.editing; e != nil {
		after, encErr := json.Marshal(&c.view)
		if encErr = errors.Join(e.err, encErr); encErr != nil {
			out.Err = errors.Join(err, kopf.Permanent(fmt.Errorf("encoding what the handler edited: %w", encErr)))
			return out
		}
		out.Edits = []edit.Edit{{Before: e.before, After: after, Parts: e.parts}}
	}
	if err != nil || isNil(result) {
		return out
	}
	if out.Result, err = json.Marshal(result); err != nil {
		out.Err = kopf.Permanent(fmt.Errorf("encoding the result: %w", err))
		return out
	}
	if string(out.Result) == "null" {
		out.Result = nil
	}
	if c.intoStatus && out.Result != nil {
		out.Status, out.Err = nonZero(result, out.Result)
		out.Result = nil
	}
	return out
}

func isNil(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}
