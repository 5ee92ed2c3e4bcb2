// Package diff compares the state that was handled last with the current one and lists the changes as handlers see them. Package handling
// calls it for filters and attempts.
package diff

import (
	"fmt"
	"maps"
	"slices"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Of compares two values of decoded JSON. As in Kopf, objects are compared member by member, everything else, lists included, as a
// whole; a null counts as absent, as does a nil map; the path of the root is empty. Unlike in Kopf, where Python has it so, true and 1 are
// not equal. The order is: members that came, members that went, members in both, each by name.
func Of(before, after any) kopf.Diff {
	var c comparison
	c.compare(nil, before, after)
	return c.changes
}

// At compares what two values have at path; the paths of the changes start there. It does what Kopf's reduction of a diff to a field does.
func At(before, after any, path []string) kopf.Diff {
	b, _ := tree.Get(before, path...)
	a, _ := tree.Get(after, path...)
	return Of(b, a)
}

type comparison struct{ changes kopf.Diff }

func (c *comparison) compare(path []string, before, after any) {
	b, isObject := before.(map[string]any)
	a, stillObject := after.(map[string]any)
	came, went := essence.Absent(before), essence.Absent(after)
	switch {
	case came && went:
	case came:
		c.add(kopf.OpAdd, path, nil, after)
	case went:
		c.add(kopf.OpRemove, path, before, nil)
	case isObject && stillObject:
		c.members(path, b, a)
	case !essence.Equal(before, after):
		c.add(kopf.OpChange, path, before, after)
	}
}

func (c *comparison) members(path []string, before, after map[string]any) {
	var came, went, both []string
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[key]; ok {
			both = append(both, key)
		} else {
			came = append(came, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[key]; !ok {
			went = append(went, key)
		}
	}
	for _, key := range slices.Concat(came, went, both) {
		c.compare(append(slices.Clip(path), key), before[key], after[key])
	}
}

func (c *comparison) add(op kopf.Op, path []string, before, after any) {
	c.changes = append(c.changes, kopf.Change{Op: op, Path: path, Old: raw(before), New: raw(after)})
}

// raw encodes one side of a change; what is absent stays nil.
func raw(v any) kopf.Raw {
	if v == nil {
		return nil
	}
	data, err := tree.Encode(v)
	if err != nil {
		panic(fmt.Sprintf("encoding what was decoded: %v", err))
	}
	return data
}
