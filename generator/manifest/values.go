package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// checkValues reports the defaults and the enumerated values of a definition that are not of the type of their field. Markers take any
// value, but the API server would refuse the definition.
func (w *world) checkValues(def *apiextensionsv1.CustomResourceDefinition, k Kind, diags *diagnostic.List) {
	for _, v := range def.Spec.Versions {
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			continue
		}
		eachSchema(v.Schema.OpenAPIV3Schema, nil, func(s *apiextensionsv1.JSONSchemaProps, path []string) {
			complain := func(what string, value apiextensionsv1.JSON) {
				if !ofType(value.Raw, s) {
					diags.Addf(w.fieldAt(k, path), codeValue, "write a value of the field's type in its marker",
						"%s of %s in %s is %s, but the field is of type %s", what, strings.Join(path, "."), k.Type.Name(), value.Raw, s.Type)
				}
			}
			if s.Default != nil {
				complain("the default", *s.Default)
			}
			for _, value := range s.Enum {
				complain("a value", value)
			}
		})
	}
}

// fieldAt is the field of the author's types that a path most likely ends with, or the kind.
func (w *world) fieldAt(k Kind, path []string) token.Position {
	path = slices.DeleteFunc(slices.Clone(path), func(name string) bool { return name == "*" })
	pos, found := k.Pos, false
	w.eachField(k.Type.Type(), map[*types.Named]bool{}, func(f markers.FieldInfo) {
		name, _ := parseTag(f.Tag.Get("json"))
		if !found && len(path) > 0 && name == path[len(path)-1] {
			pos, found = w.at(f.RawField), true
		}
	})
	return pos
}

// eachSchema calls fn for a schema and all below it, in the order of their names.
func eachSchema(s *apiextensionsv1.JSONSchemaProps, path []string, fn func(*apiextensionsv1.JSONSchemaProps, []string)) {
	fn(s, path)
	below := func(part *apiextensionsv1.JSONSchemaProps, name string) {
		eachSchema(part, append(slices.Clip(path), name), fn)
	}
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		part := s.Properties[name]
		below(&part, name)
	}
	if s.Items != nil && s.Items.Schema != nil {
		below(s.Items.Schema, "*")
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		below(s.AdditionalProperties.Schema, "*")
	}
}

// ofType reports whether a JSON value is of the type that a schema names, if it names one.
func ofType(raw []byte, s *apiextensionsv1.JSONSchemaProps) bool {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var value any
	if dec.Decode(&value) != nil {
		return false
	}
	switch v := value.(type) {
	case nil:
		return s.Nullable || s.Type == ""
	case bool:
		return s.Type == "boolean" || s.Type == ""
	case string:
		return s.Type == "string" || s.Type == ""
	case json.Number:
		f, err := v.Float64()
		return s.Type == "number" || s.Type == "" || s.Type == "integer" && err == nil && f == math.Trunc(f)
	case []any:
		return s.Type == "array" || s.Type == ""
	case map[string]any:
		return s.Type == "object" || s.Type == ""
	}
	panic(fmt.Sprintf("a JSON value of type %T", value))
}
