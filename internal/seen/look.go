// Package seen is how tests see objects: with what the operator keeps in annotations taken apart, and compared with what is wanted, a part of
// an object in YAML. Package exampletest does so on a real API server, package kopftest on one in memory.
package seen

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// Prefix is that of Kopf's annotations, which operators use unless they have one of their own.
const Prefix = "kopf.zalando.org"

// What the annotations are taken apart into.
const (
	lastHandled = "last-handled-configuration"
	// touched is written by Kopf, and by nobody else, to be woken up; it is no JSON.
	touched = "touch-dummy"
	// managed marks objects with a prefix of their own; it is no JSON either.
	managed = "kopf-managed"

	// handled is the state that was handled last.
	handled = "handled"
	// progress has the records of the handlers that are not done, or that wait for others, by the ends of their annotations' names.
	progress = "progress"
)

// Look returns the object as a test sees it: decoded afresh, without managedFields, and with the annotations of the operator's prefix below
// "handled" and "progress" instead.
func Look(object map[string]any, prefix string) (map[string]any, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var seen map[string]any
	if err := json.Unmarshal(data, &seen); err != nil {
		return nil, err
	}
	metadata, _ := seen["metadata"].(map[string]any)
	delete(metadata, "managedFields")
	annotations, _ := metadata["annotations"].(map[string]any)
	records := map[string]any{}
	for name, text := range annotations {
		id, ours := strings.CutPrefix(name, prefix+"/")
		if !ours {
			continue
		}
		delete(annotations, name)
		switch id {
		case managed:
			continue
		case touched:
			records[id] = text
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(text.(string)), &value); err != nil {
			return nil, fmt.Errorf("annotation %s: %w", name, err)
		}
		if id == lastHandled {
			seen[handled] = value
		} else {
			records[id] = value
		}
	}
	if len(records) > 0 {
		seen[progress] = records
	}
	return seen, nil
}

// Parse reads what a test wants to see.
func Parse(want string) (any, error) {
	var value any
	if err := yaml.Unmarshal([]byte(want), &value); err != nil {
		return nil, fmt.Errorf("reading %q: %w", want, err)
	}
	return value, nil
}

// Missing says what of want is not in got, or nothing. Objects may have more than is wanted, also those in lists; a null is wanted to be
// absent; lists have as many elements; all else is equal.
func Missing(want, got any, path ...string) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %s, not an object", place(path), text(got))
		}
		for key, value := range want {
			if lack := Missing(value, object[key], append(slices.Clone(path), key)...); lack != "" {
				return lack
			}
		}
		return ""
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return fmt.Sprintf("%s is %s, not %s", place(path), text(got), text(want))
		}
		for i, value := range want {
			if lack := Missing(value, list[i], append(slices.Clone(path), strconv.Itoa(i))...); lack != "" {
				return lack
			}
		}
		return ""
	}
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return fmt.Sprintf("%s is %s, not %s", place(path), text(got), text(want))
}

// place names a path; the empty one is that of the object.
func place(path []string) string {
	if len(path) == 0 {
		return "the object"
	}
	return strings.Join(path, ".")
}

func text(value any) string {
	if value == nil {
		return "absent"
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
