package operator

import (
	"encoding/json"
	"fmt"
	"reflect"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// nonZero returns the members of a result that the zero value of its type would not encode to: what a handler that returns a status has
// set.
func nonZero(result any, encoded kopf.Raw) (map[string]any, error) {
	t := reflect.TypeOf(result)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	data, err := json.Marshal(reflect.Zero(t).Interface())
	if err != nil {
		return nil, kopf.Permanent(fmt.Errorf("encoding the zero value of %v: %w", t, err))
	}
	zero, err := tree.Decode(data)
	if err != nil {
		return nil, err
	}
	set, err := tree.DecodeObject(encoded)
	if err != nil {
		return nil, kopf.Permanent(fmt.Errorf("a status must be an object: %w", err))
	}
	prune(set, zero)
	return set, nil
}

// prune removes from set, in place, what equals zero.
func prune(set map[string]any, zero any) {
	for key, value := range set {
		unset, ok := tree.Get(zero, key)
		if !ok {
			continue
		}
		if object, is := value.(map[string]any); is && !tree.Equal(value, unset) {
			prune(object, unset)
			continue
		}
		if tree.Equal(value, unset) {
			delete(set, key)
		}
	}
}
