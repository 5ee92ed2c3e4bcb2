package handling

import (
	"fmt"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Asks is what handlers want written to their object. The zero value is nothing.
type Asks struct {
	// Results are what handlers returned, by the keys of the status that take them; slashes in a key have no meaning. Status is merged
	// into the status as a whole.
	Results map[string]kopf.Raw
	Status  map[string]any
	// Changes are what handlers edited in their copies, Patches what they asked for; all can be written.
	Changes []edit.Change
	Patches []*kopf.Patch
}

// Empty tells whether there is nothing to write.
func (a *Asks) Empty() bool {
	return len(a.Changes) == 0 && len(a.Patches) == 0 && len(a.Results) == 0 && len(a.Status) == 0
}

// Gather adds what an attempt on a state of the object, given as JSON, wants written, all of it or nothing; that of a failed attempt, too. The
// error says why it cannot be written.
func (a *Asks) Gather(r *Resource, state []byte, out Outcome) error {
	var changes []edit.Change
	for _, e := range out.Edits {
		e.Keys, e.Prefix = r.ListMapKeys, r.Prefix
		change, err := edit.Diff(state, e)
		if err != nil {
			return fmt.Errorf("what the handler edited: %w", err)
		}
		if !change.Empty() {
			changes = append(changes, change)
		}
	}
	if !out.Patch.Empty() {
		if _, err := out.Patch.MarshalJSON(); err != nil {
			return fmt.Errorf("the patch that the handler asks for: %w", err)
		}
		a.Patches = append(a.Patches, out.Patch)
	}
	a.Changes = append(a.Changes, changes...)
	return nil
}

// Keep adds what a handler returned that has not failed; result is the key of the status that takes it, and empty drops it.
func (a *Asks) Keep(result string, out Outcome) {
	if out.Result != nil && result != "" {
		if a.Results == nil {
			a.Results = map[string]kopf.Raw{}
		}
		a.Results[result] = out.Result
	}
	if len(out.Status) > 0 {
		if a.Status == nil {
			a.Status = map[string]any{}
		}
		tree.Overlay(a.Status, out.Status)
	}
}
