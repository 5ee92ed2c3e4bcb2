package kopftest

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// changes are the handlers whose progress is recorded.
const changes = operator.OnCreate | operator.OnUpdate | operator.OnDelete | operator.OnResume | operator.OnField

// history is one play of a scenario: how it is disturbed, what is seen of it, and what is wrong with it.
type history struct {
	disturbances []disturbance
	timeline     string

	mu             sync.Mutex
	wrong          []string
	writes, events int
	copies         bool      // two copies have run
	quiet          bool      // nothing is disturbed any more
	after          []Request // writes since then
	// told is what each handler was told last, by the object's uid and its id.
	told map[[2]string]string
	// departed are the objects from which somebody else has taken its finalizer.
	departed map[string]bool
}

func newHistory(ds []disturbance) *history {
	return &history{disturbances: ds, told: map[[2]string]string{}, departed: map[string]bool{}}
}

func (h *history) fail(text string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wrong = append(h.wrong, fmt.Sprintf(text, args...))
}

func (h *history) failed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.wrong) > 0
}

// happened looks at an event of the server.
func (h *history) happened(e apitest.Event) {
	if h == nil {
		return
	}
	before, now := e.States()
	uid := tree.String(now, "metadata", "uid")
	h.mu.Lock()
	gone := foreign(before) && !foreign(now) && !h.departed[uid]
	h.mu.Unlock()
	if gone {
		h.fail("%s has lost the finalizer of somebody else", named(now))
	}
}

func foreign(object map[string]any) bool {
	finalizers, _ := tree.Get(object, "metadata", "finalizers")
	list, _ := finalizers.([]any)
	return slices.Contains(list, any(foreignFinalizer))
}

// observe looks at the calls of the handlers of a definition.
func (h *history) observe(s *Stage, d *operator.Definition) {
	d.Resources = slices.Clone(d.Resources)
	for i := range d.Resources {
		r := &d.Resources[i]
		r.Handlers = slices.Clone(r.Handlers)
		resource, _ := s.server.Resource(r.Group, r.Version, r.Kind)
		for j := range r.Handlers {
			if one := &r.Handlers[j]; one.On.Has(changes) {
				one.Run = one.Run.Observed(func(told operator.Told) { h.called(s, resource, told) })
			}
		}
	}
}

// called notes a call, and finds whether the object says already that the handler has succeeded for this state.
func (h *history) called(s *Stage, resource api.Resource, told operator.Told) {
	h.mu.Lock()
	h.told[[2]string{told.UID, told.ID}] = string(told.New)
	copies := h.copies
	h.mu.Unlock()
	object := s.server.Object(resource.Path(told.Namespace, told.Name, ""))
	if copies || object == nil || tree.String(object, "metadata", "uid") != told.UID {
		return
	}
	records, _ := s.storage().Fetch(object, []string{told.ID})
	looked, err := tree.Decode(told.New)
	if own := records[told.ID]; own != nil && own.Success && own.Purpose == told.Reason && err == nil && own.Seen == essence.Digest(looked) {
		h.fail("%v: handler %q is called for %s %s although its success is recorded", s.Elapsed(), told.ID, told.Name, told.New)
	}
}

func (s *Stage) storage() storage.Storage { return storage.Storage{Prefix: s.prefix} }

// rest has the operator come to rest, and looks at what is left.
func (h *history) rest(s *Stage) {
	h.mu.Lock()
	h.quiet = true
	h.mu.Unlock()
	s.Advance(patience)
	h.each(s, h.handled)
	h.still(s, "while nothing changed", func() {})
	if !s.declares(operator.OnResume) {
		h.still(s, "by another process, while nothing changed", s.Restart)
	}
	h.each(s, func(_ *Stage, _ operator.Resource, path string, _ map[string]any) {
		if _, err := s.server.Do(http.MethodDelete, path, "", nil); err != nil {
			h.fail("deleting %s: %v", path, err)
		}
	})
	s.Advance(patience)
	h.each(s, func(_ *Stage, _ operator.Resource, _ string, object map[string]any) {
		h.fail("%s is not released: its finalizers are %v", named(object), tree.Object(object, "metadata")["finalizers"])
	})
	for _, line := range s.Log("a defect of the operator's runtime") {
		h.fail("%s", line)
	}
	s.processes.mu.Lock()
	s.processes.closed = true
	s.processes.mu.Unlock()
}

// each calls a function for the objects of the declared resources.
func (h *history) each(s *Stage, do func(s *Stage, r operator.Resource, path string, object map[string]any)) {
	for _, r := range s.declared {
		resource, _ := s.server.Resource(r.Group, r.Version, r.Kind)
		events, _ := s.server.Snapshot(resource.Path("", "", ""))
		for _, e := range events {
			do(s, r, e.Path(), e.Now())
		}
	}
}

// handled finds what is not handled about an object.
func (h *history) handled(s *Stage, r operator.Resource, _ string, object map[string]any) {
	if tree.String(object, "metadata", "deletionTimestamp") != "" {
		h.fail("%s is being deleted, and still held by %v", named(object), tree.Object(object, "metadata")["finalizers"])
		return
	}
	for name, text := range tree.Object(object, "metadata", "annotations") {
		id, own := strings.CutPrefix(name, s.prefix+"/")
		if own && id != "last-handled-configuration" && id != "kopf-managed" {
			h.fail("%s has the record %s left: %v", named(object), id, text)
		}
	}
	rules := essence.Rules{Prefix: s.prefix, Extra: r.Watch.Extra}
	now := rules.Build(object)
	base, present, err := s.storage().Base(object)
	switch {
	case r.Watch.Base == operator.BaseNone:
		return
	case err != nil:
		h.fail("%s: the state handled last: %v", named(object), err)
	case !present && slices.ContainsFunc(r.Handlers, func(one operator.Handler) bool { return whole(one, operator.OnCreate) }):
		h.fail("%s was never handled", named(object))
	case present && !essence.Equal(rules.Clean(base), now):
		h.fail("%s is not handled as it is: it was %v when it was handled last", named(object), base)
	}
	uid := tree.String(object, "metadata", "uid")
	for _, one := range r.Handlers {
		if !whole(one, operator.OnUpdate) {
			continue
		}
		text, err := tree.Encode(now)
		if told := h.last(uid, one.ID, r.Handlers); err == nil && told != "" && told != string(text) {
			h.fail("%s is %s, and handler %q was told of %s last", named(object), text, one.ID, told)
		}
	}
}

// last returns what an update handler was told last, or what handlers of the creation were if it was told nothing.
func (h *history) last(uid, id string, handlers []operator.Handler) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if told, ok := h.told[[2]string{uid, id}]; ok {
		return told
	}
	for _, one := range handlers {
		if told, ok := h.told[[2]string{uid, one.ID}]; ok && whole(one, operator.OnCreate) {
			return told
		}
	}
	return ""
}

// whole tells whether a handler is of the kind, and about every object as a whole.
func whole(h operator.Handler, on operator.Kind) bool {
	return h.On.Has(on) && len(h.Field) == 0 && h.Labels == "" && h.Annotations == "" && h.Name == "" && h.Namespace == "" && h.Enabled == nil &&
		reflect.ValueOf(h.When).IsZero()
}

// declares tells whether the operator has handlers of the kinds.
func (s *Stage) declares(on operator.Kind) bool {
	return slices.ContainsFunc(s.declared, func(r operator.Resource) bool {
		return slices.ContainsFunc(r.Handlers, func(h operator.Handler) bool { return h.On.Has(on) })
	})
}

// still finds writes for which there is no reason. Daemons and timers may write whenever they like.
func (h *history) still(s *Stage, when string, first func()) {
	h.mu.Lock()
	h.after = nil
	h.mu.Unlock()
	first()
	s.Advance(patience)
	h.mu.Lock()
	written := h.after
	h.mu.Unlock()
	if len(written) > 0 && !s.declares(operator.OnDaemon|operator.OnTimer) {
		h.fail("it was written %s: %s %s, one of %d", when, written[0], written[0].Body, len(written))
	}
}
