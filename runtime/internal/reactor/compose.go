package reactor

import (
	"encoding/json"
	"fmt"

	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// compose makes one plan of what came of a round: what handlers edited and asked for, their results, and the progress, which comes last so
// that nothing overrides it.
func (r *Reactor) compose(object map[string]any, raw []byte, round handling.Round) (*patch.Plan, error) {
	plan := new(patch.Plan)
	for _, e := range round.Edits {
		e.Keys, e.Prefix = r.ListMapKeys, r.Prefix
		change, err := edit.Diff(raw, e)
		if err != nil {
			return nil, fmt.Errorf("comparing what a handler edited: %w", err)
		}
		plan.Add(change)
	}
	for _, p := range round.Patches {
		data, err := json.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("encoding the patch of a handler: %w", err)
		}
		doc, err := tree.DecodeObject(data)
		if err != nil {
			return nil, fmt.Errorf("reading the patch of a handler: %w", err)
		}
		plan.AddMerge(doc)
		plan.Append(&patch.Plan{Funcs: p.Funcs()})
	}
	if len(round.Status) > 0 {
		plan.AddMerge(map[string]any{"status": round.Status})
	}
	for id, result := range round.Results {
		value, err := tree.Decode(result)
		if err != nil {
			return nil, fmt.Errorf("reading the result of handler %q: %w", id, err)
		}
		plan.AddMerge(map[string]any{"status": map[string]any{id: value}})
	}
	if !r.last(object, round) {
		plan.AddMerge(r.Storage.Patch(object, r.progress(round)))
	}
	switch {
	case round.AddFinalizer:
		plan.Append(&patch.Plan{AddFinalizers: []string{r.Handlers.Finalizer}})
	case round.RemoveFinalizer:
		plan.Append(&patch.Plan{RemoveFinalizers: []string{r.Handlers.Finalizer}})
	}
	return plan, nil
}

// last tells whether the object vanishes with this round. Its progress is left alone then: it costs no request, and if the process ends
// before the finalizer is taken, the next one knows what was done.
func (r *Reactor) last(object map[string]any, round handling.Round) bool {
	finalizers, _ := tree.Get(object, "metadata", "finalizers")
	list, _ := finalizers.([]any)
	return round.RemoveFinalizer && tree.String(object, "metadata", "deletionTimestamp") != "" && len(list) == 1
}

// progress is the part of a round that is kept in annotations.
func (r *Reactor) progress(round handling.Round) storage.Write {
	w := storage.Write{Records: round.Records}
	if round.Base != nil && !r.NoBase {
		w.Base = round.Base
	}
	return w
}
