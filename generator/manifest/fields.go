package manifest

import (
	"go/types"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/schema"
)

// memberType returns the type of one JSON member of a struct, or of a pointer to one.
func memberType(t types.Type, name string) (types.Type, bool) {
	f, ok := schema.Member(deref(t), name)
	if !ok {
		return nil, false
	}
	return f.Type(), true
}

// deref strips aliases and one pointer.
func deref(t types.Type) types.Type {
	t, _ = schema.Deref(t)
	return t
}

// parseTag splits a json tag into the name and the options.
func parseTag(tag string) (name string, options []string) {
	name, rest, _ := strings.Cut(tag, ",")
	return name, strings.Split(rest, ",")
}

// omitted reports whether the options of a json tag leave an empty value out.
func omitted(options []string) bool {
	return slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero")
}
