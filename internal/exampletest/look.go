package exampletest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// What Kopf's annotations are taken apart into.
const (
	prefix      = "kopf.zalando.org/"
	lastHandled = prefix + "last-handled-configuration"
	// touched is written by Kopf, and by nobody else, to be woken up; it is no JSON.
	touched = prefix + "touch-dummy"

	// handled is the state that was handled last.
	handled = "handled"
	// progress has the records of the handlers that are not done, or that wait for others, by the ends of their annotations' names.
	progress = "progress"
)

// look returns the object as a test sees it: decoded afresh, without managedFields, and with Kopf's annotations below "handled" and
// "progress" instead.
func look(object map[string]any) (map[string]any, error) {
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
		id, ours := strings.CutPrefix(name, prefix)
		if !ours {
			continue
		}
		delete(annotations, name)
		if name == touched {
			records[id] = text
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(text.(string)), &value); err != nil {
			return nil, fmt.Errorf("annotation %s: %w", name, err)
		}
		if name == lastHandled {
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

// parse reads what a test wants to see.
func parse(want string) (any, error) {
	var value any
	if err := yaml.Unmarshal([]byte(want), &value); err != nil {
		return nil, fmt.Errorf("reading %q: %w", want, err)
	}
	return value, nil
}

// missing says what of want is not in got, or nothing. Objects may have more than is wanted; a null is wanted to be absent; lists and all
// else are equal.
func missing(want, got any, path ...string) string {
	wanted, ok := want.(map[string]any)
	if !ok {
		if reflect.DeepEqual(want, got) {
			return ""
		}
		return fmt.Sprintf("%s is %s, not %s", strings.Join(path, "."), text(got), text(want))
	}
	object, ok := got.(map[string]any)
	if !ok {
		return fmt.Sprintf("%s is %s, not an object", strings.Join(path, "."), text(got))
	}
	for key, value := range wanted {
		if lack := missing(value, object[key], append(slices.Clone(path), key)...); lack != "" {
			return lack
		}
	}
	return ""
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
