package handling

import (
	"fmt"
	"path"
	"reflect"
	"runtime/debug"

	"k8s.io/apimachinery/pkg/labels"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/diff"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// filters decide which handlers a state is for. The answers of conditions are remembered, so that each is asked once per round and change.
type filters struct {
	state   *State
	reason  kopf.Reason
	answers map[question]answer
}

// question is the condition of a handler on the change from an essence, which its address identifies.
type question struct {
	handler *Handler
	before  uintptr
}

type answer struct {
	holds bool
	err   error
}

// anyMatters tells whether any handler could ever be called for the object as it is. If not, the operator leaves the object alone.
func (f *filters) anyMatters() (bool, error) {
	handlers := f.state.Resource.Handlers
	for i := range handlers {
		if ok, err := f.matters(&handlers[i]); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// matters tells whether the object passes all filters other than those on the change. As in Kopf, that decides about the finalizer, and
// whether the object is touched at all.
func (f *filters) matters(h *Handler) (ok bool, err error) {
	defer guard(h, &err)
	before := f.state.Base
	if ok, err := f.object(h, before); !ok || err != nil {
		return false, err
	}
	return f.when(h, before)
}

// match tells whether the object passes all filters, compared with the essence before, which may be nil.
func (f *filters) match(h *Handler, before map[string]any) (ok bool, err error) {
	defer guard(h, &err)
	if ok, err := f.object(h, before); !ok || err != nil {
		return false, err
	}
	for _, side := range []struct {
		criterion Criterion
		essence   map[string]any
	}{{h.Old, before}, {h.New, f.state.Essence}} {
		if side.criterion == nil {
			continue
		}
		if ok, err := holds(side.criterion, side.essence, h.Field); !ok || err != nil {
			return false, err
		}
	}
	return f.when(h, before)
}

// guard turns whatever a filter fails with, a panic included, into an error of this object alone.
func guard(h *Handler, err *error) {
	if p := recover(); p != nil {
		*err = &PanicError{Value: p, Stack: debug.Stack()}
	}
	if *err != nil {
		*err = fmt.Errorf("a filter of handler %q: %w", h.ID, *err)
	}
}

// object asks the filters on the object and on the value of the field.
func (f *filters) object(h *Handler, before map[string]any) (bool, error) {
	if ok, err := f.state.selected(h); !ok || err != nil {
		return false, err
	}
	if ok, err := h.valued(f.state.Essence); ok || err != nil {
		return ok, err
	}
	return h.valued(before)
}

// when asks the last condition.
func (f *filters) when(h *Handler, before map[string]any) (bool, error) {
	if h.When == nil {
		return true, nil
	}
	q := question{h, reflect.ValueOf(before).Pointer()}
	a, asked := f.answers[q]
	if !asked {
		attempt := f.state.attempt(h, f.reason)
		attempt.Old, attempt.New = encode(before, nil), encode(f.state.Essence, nil)
		attempt.Diff = diff.Of(before, f.state.Essence)
		a.holds, a.err = h.When(attempt)
		if f.answers == nil {
			f.answers = map[question]answer{}
		}
		f.answers[q] = a
	}
	return a.holds, a.err
}

// Matches tells whether an object passes all filters of a handler that is not one of changes: index functions, handlers of events, daemons
// and timers. As in Kopf, these look at the object as it is, the whole of it. The type is that of the event, if it is about one.
func (s *State) Matches(h *Handler, typ kopf.EventType) (ok bool, err error) {
	defer guard(h, &err)
	if ok, err := s.selected(h); !ok || err != nil {
		return false, err
	}
	if ok, err := h.valued(s.Object); !ok || err != nil {
		return false, err
	}
	if h.When == nil {
		return true, nil
	}
	a := s.attempt(h, "")
	a.EventType = typ
	return h.When(a)
}

// selected asks the filters on the metadata.
func (s *State) selected(h *Handler) (bool, error) {
	if ok, err := glob(h.Name, s.name()); !ok || err != nil {
		return false, err
	}
	if ok, err := glob(h.Namespace, s.namespace()); !ok || err != nil {
		return false, err
	}
	return selects(h.Labels, s.labels()) && selects(h.Annotations, s.annotations()), nil
}

// valued asks the filter on the value of the field in a state of the object, or in an essence.
func (h *Handler) valued(state map[string]any) (bool, error) {
	if len(h.Field) == 0 {
		return true, nil
	}
	value, present := tree.Get(state, h.Field...)
	if h.Value == nil {
		return present, nil
	}
	return h.Value(value, present)
}

func selects(s labels.Selector, set map[string]string) bool {
	return s == nil || s.Matches(labels.Set(set))
}

func glob(pattern, name string) (bool, error) {
	if pattern == "" {
		return true, nil
	}
	return path.Match(pattern, name)
}

func holds(c Criterion, essence map[string]any, field []string) (bool, error) {
	value, present := tree.Get(essence, field...)
	return c(value, present)
}
