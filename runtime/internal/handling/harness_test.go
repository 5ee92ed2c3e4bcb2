package handling

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

const finalizer = "kopf.zalando.org/KopfFinalizerMarker"

// object is one object and the operator that handles it, without an API server between them.
type object struct {
	t        *testing.T
	resource *Resource
	state    map[string]any
	memory   progress.Memory
	memos    Memos
	initial  bool
	newer    func() bool
	log      bytes.Buffer
	// calls are what handlers were called for, as noted by the handlers of [noted].
	calls []string
	// writes are the merge patches, one for each round that wrote anything.
	writes []map[string]any
	// rounds counts the rounds.
	rounds int
	last   Round
}

func newObject(t *testing.T, text string, handlers ...Handler) *object {
	t.Helper()
	state, err := tree.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tree.Set(state, "obj", "metadata", "name")
	tree.Set(state, "ns", "metadata", "namespace")
	tree.Set(state, "uid-1", "metadata", "uid")
	for i := range handlers {
		if handlers[i].Result == "" {
			handlers[i].Result = handlers[i].ID
		}
	}
	return &object{t: t, state: state, newer: func() bool { return false }, resource: &Resource{Handlers: handlers, Finalizer: finalizer}}
}

// round handles the object once and makes the changes. It tells whether there were any.
func (o *object) round(ctx context.Context) bool {
	o.t.Helper()
	raw, err := tree.Encode(o.state)
	if err != nil {
		o.t.Fatal(err)
	}
	base, _, err := storage.Storage{}.Base(o.state)
	if err != nil {
		o.t.Fatal(err)
	}
	o.last = Handle(ctx, &State{
		Resource: o.resource, Raw: raw, Object: o.state,
		Essence: essence.Rules{}.Build(o.state), Base: essence.Rules{}.Clean(base),
		Records: func(ids []string) map[string]*record.Record {
			found, errs := storage.Storage{}.Fetch(o.state, ids)
			if len(errs) > 0 {
				o.t.Fatal(errs)
			}
			return found
		},
		Initial: o.initial, Memory: &o.memory, Memos: &o.memos,
		Logger: slog.New(slog.NewTextHandler(&o.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Now:    time.Now, Newer: o.newer,
	})
	o.rounds++
	if o.last.Handled {
		o.initial = false
	}
	return o.write()
}

// write makes the changes of the last round, as packages reactor and patch do.
func (o *object) write() bool {
	o.t.Helper()
	patch := storage.Storage{}.Patch(o.state, storage.Write{Records: o.last.Records, Base: o.last.Base})
	if patch == nil {
		patch = map[string]any{}
	}
	for id, result := range o.last.Asks.Results {
		value, err := tree.Decode(result)
		if err != nil {
			o.t.Fatal(err)
		}
		tree.Overlay(patch, map[string]any{"status": map[string]any{id: value}})
	}
	if o.last.Asks.Status != nil {
		tree.Overlay(patch, map[string]any{"status": o.last.Asks.Status})
	}
	for _, change := range o.last.Asks.Changes {
		tree.Overlay(patch, change.Object)
		tree.Overlay(patch, change.Status)
	}
	changed := !tree.Equal(o.state, tree.Merge(o.state, patch))
	if changed {
		o.state = tree.Merge(o.state, patch).(map[string]any)
		o.writes = append(o.writes, patch)
	}
	switch {
	case o.last.AddFinalizer:
		tree.Set(o.state, []any{finalizer}, "metadata", "finalizers")
	case o.last.RemoveFinalizer:
		tree.Delete(o.state, "metadata", "finalizers")
	default:
		return changed
	}
	return true
}

// settle handles the object until there is nothing left to do, and sleeps while nothing is due. It needs virtual time.
func (o *object) settle() {
	o.t.Helper()
	for range 100 {
		changed := o.round(o.t.Context())
		switch {
		case o.last.Err != nil:
			o.t.Fatal(o.last.Err)
		case changed:
		case o.last.Next.IsZero():
			return
		default:
			time.Sleep(time.Until(o.last.Next))
		}
	}
	o.t.Fatalf("it never comes to rest:\n%s", o.log.String())
}

// restart is what happens to the operator's memory when its process is replaced.
func (o *object) restart() { o.memory, o.memos, o.initial = progress.Memory{}, Memos{}, true }

// set changes the object as a user would.
func (o *object) set(value any, path ...string) {
	state := tree.Copy(o.state).(map[string]any)
	if value == nil {
		tree.Delete(state, path...)
	} else {
		tree.Set(state, value, path...)
	}
	o.state = state
}

// remove deletes the object as a user would.
func (o *object) remove() { o.set("2026-12-01T00:00:00Z", "metadata", "deletionTimestamp") }

// annotation returns an annotation of the operator.
func (o *object) annotation(key string) string {
	return tree.String(o.state, "metadata", "annotations", "kopf.zalando.org/"+key)
}

// annotations returns the names of the operator's annotations.
func (o *object) annotations() []string {
	var names []string
	for name := range tree.Object(o.state, "metadata", "annotations") {
		if key, ok := strings.CutPrefix(name, "kopf.zalando.org/"); ok {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return names
}

// record returns the stored record of a handler, or nil.
func (o *object) record(id string) *record.Record {
	found, _ := storage.Storage{}.Fetch(o.state, []string{id})
	return found[id]
}

// called returns what was noted since the last time, and forgets it.
func (o *object) called() []string {
	calls := o.calls
	o.calls = nil
	return calls
}

// noted returns a function for a handler that notes what it was called for, and then does the work.
func (o *object) noted(work func(ctx context.Context, a *Attempt) (any, error)) Func {
	return func(ctx context.Context, a *Attempt) Outcome {
		o.calls = append(o.calls, fmt.Sprintf("%s %s#%d %s->%s", a.Reason, a.ID, a.Retry, a.Old, a.New))
		return result(work(ctx, a))
	}
}

// fine does nothing, and well.
func fine(context.Context, *Attempt) (any, error) { return nil, nil }

// failing fails with the errors, one after the other, and then is fine.
func failing(errs ...error) func(context.Context, *Attempt) (any, error) {
	return func(context.Context, *Attempt) (any, error) {
		if len(errs) == 0 {
			return nil, nil
		}
		err := errs[0]
		errs = errs[1:]
		return nil, err
	}
}

// with adds handlers that note their calls.
func (o *object) with(work func(context.Context, *Attempt) (any, error), handlers ...Handler) {
	for _, h := range handlers {
		h.Result = h.ID
		h.Run = o.noted(work)
		o.resource.Handlers = append(o.resource.Handlers, h)
	}
}

// ids returns the sorted keys of a map.
func ids[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

var discard = slog.New(slog.DiscardHandler)
