package reactor

import (
	"encoding/json"
	"fmt"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// compose turns what came of a round into plans: what handlers edited and asked for, their results, and the progress, which comes last so
// that nothing overrides it.
func (r *Reactor) compose(object map[string]any, round handling.Round) (writing, error) {
	own := new(patch.Plan)
	own.AddMerge(r.Storage.Patch(object, r.progress(round)))
	switch {
	case round.AddFinalizer:
		own.Append(&patch.Plan{AddFinalizers: []string{r.Handlers.Finalizer}})
	case round.RemoveFinalizer:
		own.Append(&patch.Plan{RemoveFinalizers: []string{r.Handlers.Finalizer}})
	}
	if round.Asks.Empty() {
		return writing{all: own, own: own}, nil
	}
	all, err := asked(round.Asks)
	if err != nil {
		return writing{}, err
	}
	all.Append(own)
	return writing{all: all, own: own}, nil
}

// asked returns the plan of what handlers want written.
func asked(asks handling.Asks) (*patch.Plan, error) {
	plan := new(patch.Plan)
	for _, change := range asks.Changes {
		plan.Add(change)
	}
	for _, p := range asks.Patches {
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
	if len(asks.Status) > 0 {
		plan.AddMerge(map[string]any{"status": asks.Status})
	}
	for key, result := range asks.Results {
		value, err := tree.Decode(result)
		if err != nil {
			return nil, fmt.Errorf("reading the result %q of a handler: %w", key, err)
		}
		plan.AddMerge(map[string]any{"status": map[string]any{key: value}})
	}
	return plan, nil
}

// progress is the part of a round that is kept in annotations.
func (r *Reactor) progress(round handling.Round) storage.Write {
	w := storage.Write{Records: round.Records}
	if round.Base != nil && !r.NoBase {
		w.Base = round.Base
	}
	return w
}
