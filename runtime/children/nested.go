package children

import (
	"fmt"
	"reflect"
	"strings"
)

// relabel changes the labels of everything that a path leads to in a value, whose structs can be set: it has been reached through a pointer,
// a list or a map. It stops at what is absent on the way; what can never be there is an error.
func relabel(v reflect.Value, path []string, change func(map[string]string) map[string]string) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return relabel(v.Elem(), path, change)
	case reflect.Map:
		if v.IsNil() {
			return nil
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := relabel(v.Index(i), path, change); err != nil {
				return err
			}
		}
		return nil
	}
	if len(path) == 0 {
		return relabelHere(v, change)
	}
	switch {
	case v.Kind() == reflect.Struct:
		field, known := member(v, path[0])
		if !known {
			return fmt.Errorf("%s has no field %q", v.Type(), path[0])
		}
		if !field.IsValid() {
			return nil
		}
		return relabel(field, path[1:], change)
	case isMap(v):
		key := reflect.ValueOf(path[0]).Convert(v.Type().Key())
		item := v.MapIndex(key)
		if !item.IsValid() {
			return nil
		}
		// Items of a map are no variables: change a copy and put it back.
		copied := reflect.New(v.Type().Elem()).Elem()
		copied.Set(item)
		if err := relabel(copied, path[1:], change); err != nil {
			return err
		}
		v.SetMapIndex(key, copied)
		return nil
	}
	return fmt.Errorf("there is no %q in a value of type %s", path[0], v.Type())
}

// relabelHere changes the labels in the metadata of a struct or of a JSON object.
func relabelHere(v reflect.Value, change func(map[string]string) map[string]string) error {
	if object, ok := v.Interface().(map[string]any); ok {
		return relabelJSON(object, change)
	}
	if v.Kind() == reflect.Struct {
		if meta, _ := member(v, "metadata"); meta.IsValid() {
			if meta.Kind() == reflect.Pointer && meta.IsNil() {
				meta.Set(reflect.New(meta.Type().Elem()))
			}
			if meta = reflect.Indirect(meta); meta.Kind() == reflect.Struct {
				labels, _ := member(meta, "labels")
				if typed, ok := pointer(labels).(*map[string]string); ok {
					*typed = change(*typed)
					return nil
				}
			}
		}
	}
	return fmt.Errorf("a value of type %s has no labels in its metadata", v.Type())
}

// pointer returns a pointer to a variable, or nil if there is none.
func pointer(v reflect.Value) any {
	if !v.IsValid() || !v.CanAddr() {
		return nil
	}
	return v.Addr().Interface()
}

func relabelJSON(object map[string]any, change func(map[string]string) map[string]string) error {
	meta, ok := object["metadata"].(map[string]any)
	if !ok && object["metadata"] != nil {
		return fmt.Errorf("its metadata is of type %T", object["metadata"])
	}
	have := map[string]string{}
	existing, ok := meta["labels"].(map[string]any)
	if !ok && meta["labels"] != nil {
		return fmt.Errorf("its labels are of type %T", meta["labels"])
	}
	for key, value := range existing {
		text, ok := value.(string)
		if !ok {
			return fmt.Errorf("its label %q is of type %T", key, value)
		}
		have[key] = text
	}
	labels := map[string]any{}
	for key, value := range change(have) {
		labels[key] = value
	}
	if meta == nil {
		meta = map[string]any{}
		object["metadata"] = meta
	}
	meta["labels"] = labels
	return nil
}

// member returns the field of a struct with a name in JSON, and whether its type has one. A field behind an embedded pointer that is nil is
// known, but not there.
func member(v reflect.Value, name string) (field reflect.Value, known bool) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		tagged, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case tagged == name && name != "" && f.IsExported():
			return v.Field(i), true
		case tagged == "" && f.Anonymous:
			inner := v.Field(i)
			if inner.Kind() == reflect.Pointer {
				if inner.IsNil() {
					inner = reflect.Zero(inner.Type().Elem())
				} else {
					inner = inner.Elem()
				}
			}
			if inner.Kind() != reflect.Struct {
				continue
			}
			if field, known = member(inner, name); known {
				if !field.CanSet() {
					return reflect.Value{}, true
				}
				return field, true
			}
		case tagged == "" && f.Name == name && f.IsExported():
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

func isMap(v reflect.Value) bool {
	return v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String
}
