package kopf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Patch collects what a handler wants written to its object, for cases where editing a typed copy is not enough. Everything that is asked
// for in one turn travels in the same requests as the results and the progress. The zero value is ready to use.
type Patch struct {
	doc   map[string]any
	funcs []func(object map[string]any) error
	err   error
}

// Set writes value at path, for example Set("blue", "spec", "color"), and creates the objects on the way. A value that is a JSON object is merged
// into what is there. The path starts at the root of the object and must not be empty.
func (p *Patch) Set(value any, path ...string) {
	data, err := json.Marshal(value)
	if err != nil {
		p.fail(fmt.Errorf("patching %q: %w", path, err))
		return
	}
	p.put(data, path)
}

// Remove removes the value at path, if there is one.
func (p *Patch) Remove(path ...string) { p.put([]byte("null"), path) }

// Merge adds a JSON merge patch (RFC 7386): anything that encodes to a JSON object. It returns an error if doc does not.
func (p *Patch) Merge(doc any) error {
	data, err := json.Marshal(doc)
	if err != nil {
		return fmt.Errorf("patching with %T: %w", doc, err)
	}
	tree, err := decode(data)
	if err != nil {
		return fmt.Errorf("patching with %T: %w", doc, err)
	}
	object, ok := tree.(map[string]any)
	if !ok {
		return fmt.Errorf("patching with %T: it does not encode to a JSON object", doc)
	}
	p.overlay(object)
	return nil
}

// Func adds a function that edits the object as it is at the time of writing. The edit is written only if nobody else has written in
// between; otherwise the function is called again on the newer state, so it must do nothing but edit. Use it for lists that others write
// too. Functions run after the rest of the patch. Numbers in the object are int64 or float64.
func (p *Patch) Func(edit func(object map[string]any) error) { p.funcs = append(p.funcs, edit) }

// Funcs returns the functions that were added, in order.
func (p *Patch) Funcs() []func(object map[string]any) error { return slices.Clone(p.funcs) }

// Empty tells whether nothing was asked for.
func (p *Patch) Empty() bool { return p == nil || len(p.doc) == 0 && len(p.funcs) == 0 && p.err == nil }

// MarshalJSON returns the merge patch; functions are not part of it. It fails if a value given to [Patch.Set] does not encode.
func (p *Patch) MarshalJSON() ([]byte, error) {
	if p.err != nil {
		return nil, p.err
	}
	if p.doc == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(p.doc)
}

func (p *Patch) put(data []byte, path []string) {
	if len(path) == 0 {
		p.fail(fmt.Errorf("patching with %s: the path is empty", data))
		return
	}
	value, err := decode(data)
	if err != nil {
		p.fail(fmt.Errorf("patching %q: %w", path, err))
		return
	}
	for _, key := range slices.Backward(path) {
		value = map[string]any{key: value}
	}
	p.overlay(value.(map[string]any))
}

func (p *Patch) overlay(doc map[string]any) {
	if p.doc == nil {
		p.doc = map[string]any{}
	}
	overlay(p.doc, doc)
}

// overlay lays one merge patch over another, in place; parts of above become parts of below.
func overlay(below, above map[string]any) {
	for key, value := range above {
		over, isObject := value.(map[string]any)
		if under, both := below[key].(map[string]any); both && isObject {
			overlay(under, over)
		} else {
			below[key] = value
		}
	}
}

func (p *Patch) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// decode parses JSON and keeps the digits of numbers as they are.
func decode(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}
