package handling

import (
	"fmt"
	"log/slog"
	"time"

	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/cause"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// State is one state of an object, and what is needed to handle it.
type State struct {
	Resource *Resource
	// Raw is the object as JSON without managedFields, Object the same decoded.
	Raw    []byte
	Object map[string]any
	// Essence is what handlers compare; Base is the one that was handled last, nil if there is none.
	Essence, Base map[string]any
	// Records reads the stored records of handlers and sub-handlers.
	Records func(ids []string) map[string]*record.Record
	// Initial tells that the object was there when the operator began to watch, and has not been handled since.
	Initial bool
	// Memory and Memos belong to the object and outlive the state.
	Memory *progress.Memory
	Memos  *Memos
	Logger *slog.Logger
	Config *rest.Config
	// Now returns the time.
	Now func() time.Time
	// Newer tells that a newer state has arrived or that the operator stops: no further handler is called for this one.
	Newer func() bool
}

// Round is what came of handling a state once.
type Round struct {
	Cause cause.Cause
	// Records are those that differ from what is stored; nil ones are to be removed.
	Records map[string]*record.Record
	// Base is the essence to store as the one that was handled last; nil leaves what is stored.
	Base map[string]any
	// Asks is what handlers want written, their progress aside.
	Asks Asks
	// Called are the handlers and sub-handlers that were called.
	Called []string
	// AddFinalizer and RemoveFinalizer are about the operator's own.
	AddFinalizer, RemoveFinalizer bool
	// Next is when something is due if no other state comes before; zero means nothing is.
	Next time.Time
	// Handled tells that the object needs no more handling as it is.
	Handled bool
	// Err is why the state could not be judged; nothing else is set then, and it is to be handled again later.
	Err error
}

func (s *State) name() string                   { return tree.String(s.Object, "metadata", "name") }
func (s *State) namespace() string              { return tree.String(s.Object, "metadata", "namespace") }
func (s *State) labels() map[string]string      { return texts(s.Object, "metadata", "labels") }
func (s *State) annotations() map[string]string { return texts(s.Object, "metadata", "annotations") }

func (s *State) deleting() bool { return tree.String(s.Object, "metadata", "deletionTimestamp") != "" }

// blocked tells whether the object waits for this operator before it goes.
func (s *State) blocked() bool {
	list, _ := tree.Get(s.Object, "metadata", "finalizers")
	finalizers, _ := list.([]any)
	for _, f := range finalizers {
		if f == s.Resource.Finalizer {
			return true
		}
	}
	return false
}

// texts returns the strings of an object of strings.
func texts(object map[string]any, path ...string) map[string]string {
	found := tree.Object(object, path...)
	out := make(map[string]string, len(found))
	for key, value := range found {
		if text, ok := value.(string); ok {
			out[key] = text
		}
	}
	return out
}

// attempt describes a call of a handler, but for the change.
func (s *State) attempt(h *Handler, reason kopf.Reason) *Attempt {
	return &Attempt{
		ID: h.ID, Object: s.Raw, Reason: reason,
		Name: s.name(), Namespace: s.namespace(), UID: tree.String(s.Object, "metadata", "uid"),
		Labels: s.labels(), Annotations: s.annotations(),
		Logger: s.Logger.With("handler", h.ID), Config: s.Config, Memos: s.Memos,
	}
}

// encode returns the JSON of what is at the field of an essence, nil where there is nothing.
func encode(essence map[string]any, field []string) kopf.Raw {
	if essence == nil {
		return nil
	}
	value, present := tree.Get(essence, field...)
	if !present {
		return nil
	}
	data, err := tree.Encode(value)
	if err != nil {
		panic(fmt.Sprintf("encoding what was decoded: %v", err))
	}
	return data
}
