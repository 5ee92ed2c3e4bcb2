package edit

import (
	"maps"
	"slices"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// List is the edit of one list, good for the state it was made from and, as far as the elements can be recognised, for newer ones.
type List struct {
	// Path leads to the list from the root of the object, through objects only.
	Path []string

	keys          *keyTree
	raw           []any // as it was read
	before, after []any // as the handler got and left it
	gone          bool  // the handler removed the list
}

// InStatus tells whether the list belongs to the status.
func (l List) InStatus() bool { return l.Path[0] == "status" }

// Apply returns what becomes of the list that is current now, nil if it is to be removed. It changes nothing in place. Elements that others
// have added since stay, and those that they have removed are gone unless the handler edited them. Where current has the outcome already,
// it is returned as it is.
func (l List) Apply(current any) any {
	newest, _ := current.([]any)
	out := mergeList(newest, l.raw, l.before, l.after, l.keys)
	if l.gone && len(out) == 0 {
		return nil
	}
	return out
}

// merge does to newest what turned before into after. Raw is what before was decoded from.
func merge(newest, raw, before, after any, keys *keyTree) any {
	switch after := after.(type) {
	case map[string]any:
		if was, ok := before.(map[string]any); ok || before == nil {
			newest, _ := newest.(map[string]any)
			raw, _ := raw.(map[string]any)
			return mergeObject(newest, raw, was, after, keys)
		}
	case []any:
		if was, ok := before.([]any); ok || before == nil {
			newest, _ := newest.([]any)
			raw, _ := raw.([]any)
			return mergeList(newest, raw, was, after, keys)
		}
	}
	return after
}

func mergeObject(newest, raw, before, after map[string]any, keys *keyTree) map[string]any {
	out := make(map[string]any, len(newest)+len(after))
	maps.Copy(out, newest)
	for _, name := range tree.Names(before, after) {
		was, is := before[name], after[name]
		switch {
		case tree.Equal(was, is):
		case is == nil:
			delete(out, name)
		default:
			out[name] = merge(newest[name], raw[name], was, is, keys.step(name))
		}
	}
	return out
}

// mergeList rebuilds a list. Every element of after goes back to an element of before, and with it of raw, or is new; every element of
// newest goes back to an element of raw, or is another writer's.
func mergeList(newest, raw, before, after []any, keys *keyTree) []any {
	if len(raw) != len(before) {
		return after // the type's own decoding drops or adds elements, so nothing is known of their origin
	}
	source := pair(before, after, keys.of())
	origin := pair(raw, newest, keys.of())
	now := slices.Repeat([]int{-1}, len(raw)) // where the elements of raw are in newest
	for at, from := range origin {
		if from >= 0 {
			now[from] = at
		}
	}

	// An element is identified by its place in newest; those that are not there get places behind its end.
	values := slices.Clone(newest)
	var wanted []int
	taken := make([]bool, len(newest))
	for j, element := range after {
		from, at := source[j], -1
		if from >= 0 {
			at = now[from]
		}
		switch {
		case at >= 0:
			if !tree.Equal(before[from], element) {
				values[at] = merge(newest[at], raw[from], before[from], element, keys)
			}
		case from >= 0 && tree.Equal(before[from], element):
			continue // removed by another, and the handler did not care
		default:
			if at = twin(newest, origin, taken, element, keys.of()); at >= 0 {
				values[at] = merge(newest[at], nil, nil, element, keys)
				break
			}
			if from >= 0 {
				element = merge(raw[from], raw[from], before[from], element, keys)
			}
			at = len(values)
			values = append(values, element)
		}
		if at < len(newest) {
			taken[at] = true
		}
		wanted = append(wanted, at)
	}

	var stay []int // newest without what the handler removed
	for at := range newest {
		if taken[at] || origin[at] < 0 {
			stay = append(stay, at)
		}
	}
	order := weave(stay, wanted)
	if moved(source) {
		order = weave(wanted, stay)
	}
	out := make([]any, len(order))
	for i, at := range order {
		out[i] = values[at]
	}
	return out
}

// twin finds, among the elements of other writers, the one that an element about to be added would duplicate: another handler has added it,
// or this very change has, and its answer was lost.
func twin(newest []any, origin []int, taken []bool, element any, keys []string) int {
	id, keyed := identity(element, keys)
	for at, other := range newest {
		if origin[at] >= 0 || taken[at] {
			continue
		}
		if keyed {
			if otherID, ok := identity(other, keys); ok && otherID == id {
				return at
			}
		} else if covers(other, element) {
			return at
		}
	}
	return -1
}

// covers tells whether whole has all that part says; the API server may have added defaults to it.
func covers(whole, part any) bool {
	p, ok := part.(map[string]any)
	if !ok {
		return tree.Equal(whole, part)
	}
	w, ok := whole.(map[string]any)
	if !ok {
		return false
	}
	for name, v := range p {
		if v != nil && !covers(w[name], v) {
			return false
		}
	}
	return true
}

// weave returns main with the elements that only guests has: each behind the one that precedes it in guests, and those at the end of guests
// at the end.
func weave(main, guests []int) []int {
	known := make(map[int]bool, len(main))
	for _, id := range main {
		known[id] = true
	}
	end := len(guests)
	for end > 0 && !known[guests[end-1]] {
		end--
	}
	const front = -1
	behind := map[int][]int{}
	last := front
	for _, id := range guests[:end] {
		if known[id] {
			last = id
		} else {
			behind[last] = append(behind[last], id)
		}
	}
	out := slices.Clone(behind[front])
	for _, id := range main {
		out = append(append(out, id), behind[id]...)
	}
	return append(out, guests[end:]...)
}

// moved tells whether elements that were there before have changed their order.
func moved(source []int) bool {
	last := -1
	for _, from := range source {
		if from < 0 {
			continue
		}
		if from < last {
			return true
		}
		last = from
	}
	return false
}
