package storage

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kopfgen/kopfgen/internal/annotation"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Fetch returns the records of the handlers that have one. The ids may be those of sub-handlers, which the subrefs of their
// parents name. A record that cannot be read counts as absent, so that it blocks nothing; the errors say where it is.
func (s Storage) Fetch(object map[string]any, ids []string) (map[string]*record.Record, []error) {
	records := map[string]*record.Record{}
	var errs []error
	for _, id := range ids {
		r, err := s.fetch(object, id)
		if err != nil {
			errs = append(errs, err)
		}
		if r != nil {
			records[id] = r
		}
	}
	return records, errs
}

// fetch returns the first readable record of a handler, and what is wrong with those before it.
func (s Storage) fetch(object map[string]any, id string) (*record.Record, error) {
	var errs []error
	for _, name := range s.names(object, id) {
		text, ok := stored(object, name)
		if !ok {
			continue
		}
		r, err := record.Parse([]byte(text))
		if err == nil {
			return r, errors.Join(errs...)
		}
		errs = append(errs, fmt.Errorf("annotation %s: %w", name, err))
	}
	r, err := legacy(object, id)
	return r, errors.Join(append(errs, err)...)
}

// stored returns the text of an annotation. As in Kopf, a JSON null is none.
func stored(object map[string]any, name string) (string, bool) {
	text, ok := annotations(object)[name].(string)
	return text, ok && strings.TrimSpace(text) != "null"
}

func legacy(object map[string]any, id string) (*record.Record, error) {
	value := tree.Object(object, legacyPath...)[id]
	if value == nil {
		return nil, nil
	}
	data, err := tree.Encode(value)
	if err != nil {
		return nil, fmt.Errorf("%s[%q]: %w", strings.Join(legacyPath, "."), id, err)
	}
	r, err := record.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s[%q]: %w", strings.Join(legacyPath, "."), id, err)
	}
	return r, nil
}

// Base returns the essence that was handled last, as it was stored, and whether there is one. If it cannot be read, the error says where it
// is, and the copy under the name of Kopf's old rule stands in for it if there is one.
func (s Storage) Base(object map[string]any) (map[string]any, bool, error) {
	var errs []error
	for _, name := range s.names(object, annotation.LastHandled) {
		text, ok := stored(object, name)
		if !ok {
			continue
		}
		base, err := tree.DecodeObject([]byte(text))
		if err == nil {
			return base, true, errors.Join(errs...)
		}
		errs = append(errs, fmt.Errorf("annotation %s: reading what was handled last: %w", name, err))
	}
	return nil, false, errors.Join(errs...)
}
