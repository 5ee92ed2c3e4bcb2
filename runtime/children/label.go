package children

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
)

// Label adds labels to an object and, with [Nested], to the templates in it. Labels that are there already are kept, unless [Forced].
// A path that no object of this type can have is an error, and so is one that ends at something without metadata.
func Label(child Object, labels map[string]string, opts ...LabelOption) error {
	return label(child, labels, collect(opts, LabelOption.toLabel))
}

func label(child Object, labels map[string]string, o options) error {
	if len(labels) == 0 {
		return nil
	}
	merge := func(have map[string]string) map[string]string {
		merged := maps.Clone(have)
		if merged == nil {
			merged = make(map[string]string, len(labels))
		}
		for key, value := range labels {
			if _, ok := have[key]; !ok || o.forced {
				merged[key] = value
			}
		}
		return merged
	}
	child.SetLabels(merge(child.GetLabels()))
	root := reflect.ValueOf(child)
	if u, ok := child.(interface{ UnstructuredContent() map[string]any }); ok {
		root = reflect.ValueOf(u.UnstructuredContent())
	}
	for _, path := range o.nested {
		if err := relabel(root, strings.Split(path, "."), merge); err != nil {
			return fmt.Errorf("label %q of %s: %w", path, describe(child), err)
		}
	}
	return nil
}
