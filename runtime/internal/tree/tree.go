// Package tree works on decoded JSON: the trees of map[string]any, []any, string, bool, int64, float64 and nil in which the runtime
// compares, cuts and merges objects once the skim has found that they changed. It decodes integers exactly and changes nothing in place
// unless it says so.
package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	kjson "sigs.k8s.io/json"
)

// Decode parses one JSON value. Integers within 64 bits stay exact, as the API server keeps them; names are case-sensitive.
func Decode(data []byte) (any, error) {
	var v any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &v); err != nil {
		return nil, fmt.Errorf("decoding JSON: %w", err)
	}
	return v, nil
}

// DecodeObject parses a JSON object; any other value is an error.
func DecodeObject(data []byte) (map[string]any, error) {
	v, err := Decode(data)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("decoding JSON: expected an object, got %T", v)
	}
	return m, nil
}

// Encode writes a tree as compact JSON with sorted keys and without HTML escaping.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding JSON: %w", err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Of converts any value that encodes to JSON into a tree of its own.
func Of(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encoding %T: %w", v, err)
	}
	return Decode(data)
}

// Equal compares two trees by value: 1 and 1.0 are equal, true and 1 are not, and a null member differs from an absent one.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, Equal)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	case int64:
		if b, ok := b.(float64); ok {
			return sameNumber(a, b)
		}
	case float64:
		if b, ok := b.(int64); ok {
			return sameNumber(b, a)
		}
	}
	return a == b
}

// sameNumber compares without rounding the integer to a float.
func sameNumber(i int64, f float64) bool {
	return f == math.Trunc(f) && f >= -(1<<63) && f < 1<<63 && int64(f) == i
}

// Copy returns a deep copy.
func Copy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = Copy(e)
		}
		return m
	case []any:
		s := make([]any, len(v))
		for i, e := range v {
			s[i] = Copy(e)
		}
		return s
	}
	return v
}

// Get returns the value at path and whether it is there; a null is there. A step through anything but an object finds nothing.
func Get(v any, path ...string) (any, bool) {
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[key]; !ok {
			return nil, false
		}
	}
	return v, true
}

// Object returns the object at path, or nil where there is none.
func Object(v any, path ...string) map[string]any {
	v, _ = Get(v, path...)
	m, _ := v.(map[string]any)
	return m
}

// String returns the string at path, or "" where there is none.
func String(v any, path ...string) string {
	v, _ = Get(v, path...)
	s, _ := v.(string)
	return s
}

// Names returns the names of the members of either object, sorted and each once.
func Names(a, b map[string]any) []string {
	names := slices.AppendSeq(make([]string, 0, max(len(a), len(b))), maps.Keys(a))
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Set puts value at path, in place, making objects on the way and replacing what is no object. The path must not be empty.
func Set(m map[string]any, value any, path ...string) {
	for _, key := range path[:len(path)-1] {
		next, ok := m[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[key] = next
		}
		m = next
	}
	m[path[len(path)-1]] = value
}

// Delete removes the member at path, in place, and each object that becomes empty by it; it tells whether there was such a member. The path
// must not be empty.
func Delete(m map[string]any, path ...string) bool {
	if len(path) > 1 {
		next, ok := m[path[0]].(map[string]any)
		if !ok || !Delete(next, path[1:]...) {
			return false
		}
		if len(next) > 0 {
			return true
		}
	}
	_, ok := m[path[0]]
	delete(m, path[0])
	return ok
}

// Merge applies a JSON merge patch (RFC 7386) to target and returns the result; neither argument is changed.
func Merge(target, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return Copy(patch)
	}
	t, _ := target.(map[string]any)
	out := make(map[string]any, len(t)+len(p))
	maps.Copy(out, t)
	for k, v := range p {
		if v == nil {
			delete(out, k)
			continue
		}
		out[k] = Merge(out[k], v)
	}
	return out
}

// Overlay lays one merge patch over another, in place: applying the result is the same as applying both in turn. Nulls are kept. One case
// is beyond a merge patch: an object that is removed and then made anew keeps the members that the new one does not name.
func Overlay(patch, over map[string]any) {
	for k, v := range over {
		above, ok := v.(map[string]any)
		if !ok {
			patch[k] = Copy(v)
			continue
		}
		if below, ok := patch[k].(map[string]any); ok {
			Overlay(below, above)
			continue
		}
		patch[k] = Copy(above)
	}
}
