package edit

import (
	"encoding/json"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// pair returns, for each element of a list, the place that it had in the older list, or -1. It looks for equal elements in the same place
// first, then for equal ones that have moved, then for edited ones, which are recognized by their keys or, if the list has none and the
// lengths agree, by their place.
func pair(older, newer []any, keys []string) []int {
	source := make([]int, len(newer))
	used := make([]bool, len(older))
	open := false
	for i, element := range newer {
		source[i] = -1
		if i < len(older) && tree.Equal(older[i], element) {
			source[i], used[i] = i, true
		} else {
			open = true
		}
	}
	if !open {
		return source
	}
	match(older, newer, source, used, content)
	if len(keys) > 0 {
		match(older, newer, source, used, func(element any) (string, bool) { return identity(element, keys) })
	} else if len(older) == len(newer) {
		for i := range newer {
			if source[i] < 0 && !used[i] {
				source[i], used[i] = i, true
			}
		}
	}
	return source
}

// match pairs what is still unpaired by a property, in order.
func match(older, newer []any, source []int, used []bool, property func(any) (string, bool)) {
	places := map[string][]int{}
	for at, element := range older {
		if used[at] {
			continue
		}
		if p, ok := property(element); ok {
			places[p] = append(places[p], at)
		}
	}
	for i, element := range newer {
		if source[i] >= 0 || len(places) == 0 {
			continue
		}
		p, ok := property(element)
		if free := places[p]; ok && len(free) > 0 {
			source[i], used[free[0]] = free[0], true
			places[p] = free[1:]
		}
	}
}

// content is the property of being equal.
func content(element any) (string, bool) {
	data, err := json.Marshal(element)
	return string(data), err == nil
}

// identity is the property of having the same keys. An element that has none of them is not identified.
func identity(element any, keys []string) (string, bool) {
	m, ok := element.(map[string]any)
	if !ok {
		return "", false
	}
	values, found := make([]any, len(keys)), false
	for i, key := range keys {
		values[i] = m[key]
		found = found || values[i] != nil
	}
	if !found {
		return "", false
	}
	return content(values)
}
