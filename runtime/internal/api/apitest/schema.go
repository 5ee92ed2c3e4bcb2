package apitest

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// schema is what a definition says about objects: pruning, defaults, and the simple rules for values. Rules in CEL, and combinations of
// schemas (allOf, anyOf, oneOf, not) are not checked.
type schema struct{ root *structural.Structural }

func newSchema(v *apiextensionsv1.CustomResourceValidation) (*schema, error) {
	if v == nil || v.OpenAPIV3Schema == nil {
		return nil, nil
	}
	var props apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.OpenAPIV3Schema, &props, nil); err != nil {
		return nil, err
	}
	root, err := structural.NewStructural(&props)
	if err != nil {
		return nil, err
	}
	return &schema{root}, nil
}

// complete drops, in place, what the schema does not have, and sets its defaults. Metadata is left alone.
func (s *schema) complete(object map[string]any) {
	fillIn(object, s.root)
	pruning.Prune(object, s.root, true)
}

// fillIn sets defaults where there is nothing, or a null that may not be there; other such nulls go.
func fillIn(value any, s *structural.Structural) {
	if s == nil {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name := range s.Properties {
			property := s.Properties[name]
			is, there := value[name]
			if there && (is != nil || property.Nullable || property.XPreserveUnknownFields) {
				continue
			}
			if property.Default.Object != nil {
				value[name] = tree.Copy(property.Default.Object)
			} else {
				delete(value, name)
			}
		}
		for name, member := range value {
			if property, ok := s.Properties[name]; ok {
				fillIn(member, &property)
			} else if s.AdditionalProperties != nil {
				fillIn(member, s.AdditionalProperties.Structural)
			}
		}
	case []any:
		for _, item := range value {
			fillIn(item, s.Items)
		}
	}
}

// refuses returns the path of the first field that breaks a rule, and the rule.
func (s *schema) refuses(object map[string]any) (field, message string) {
	for _, name := range slices.Sorted(maps.Keys(s.root.Properties)) {
		property := s.root.Properties[name]
		if name == "metadata" || name == "apiVersion" || name == "kind" {
			continue
		}
		if value, ok := object[name]; ok {
			if field, message = broken(value, &property, name); field != "" {
				return field, message
			}
		}
	}
	return missing(object, s.root, "")
}

// broken checks a value below a path.
func broken(value any, s *structural.Structural, path string) (field, message string) {
	if s == nil || value == nil {
		return "", ""
	}
	if s.Type != "" && !isOf(value, s.Type) && !s.XIntOrString {
		return path, fmt.Sprintf("Invalid value: must be of type %s: %v", s.Type, value)
	}
	if text := outside(value, s.ValueValidation); text != "" {
		return path, text
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			member := s.Properties[name]
			at := &member
			if _, ok := s.Properties[name]; !ok {
				if s.AdditionalProperties == nil {
					continue
				}
				at = s.AdditionalProperties.Structural
			}
			if field, message = broken(value[name], at, path+"."+name); field != "" {
				return field, message
			}
		}
		return missing(value, s, path+".")
	case []any:
		for i, item := range value {
			if field, message = broken(item, s.Items, fmt.Sprintf("%s[%d]", path, i)); field != "" {
				return field, message
			}
		}
	}
	return "", ""
}

func missing(object map[string]any, s *structural.Structural, prefix string) (field, message string) {
	if s.ValueValidation == nil {
		return "", ""
	}
	for _, name := range s.ValueValidation.Required {
		if _, ok := object[name]; !ok {
			return prefix + name, "Required value"
		}
	}
	return "", ""
}

// outside says which of the simple rules a value breaks.
func outside(value any, v *structural.ValueValidation) string {
	if v == nil {
		return ""
	}
	if len(v.Enum) > 0 && !slices.ContainsFunc(v.Enum, func(e structural.JSON) bool { return tree.Equal(e.Object, value) }) {
		return fmt.Sprintf("Unsupported value: %v", value)
	}
	if n, ok := number(value); ok {
		if v.Minimum != nil && (n < *v.Minimum || v.ExclusiveMinimum && n == *v.Minimum) {
			return fmt.Sprintf("Invalid value: %v: must be at least %v", value, *v.Minimum)
		}
		if v.Maximum != nil && (n > *v.Maximum || v.ExclusiveMaximum && n == *v.Maximum) {
			return fmt.Sprintf("Invalid value: %v: must be at most %v", value, *v.Maximum)
		}
	}
	if text, ok := value.(string); ok && v.Pattern != "" {
		if ok, err := regexp.MatchString(v.Pattern, text); err == nil && !ok {
			return fmt.Sprintf("Invalid value: %q: should match '%s'", text, v.Pattern)
		}
	}
	length, minimum, maximum := 0, v.MinLength, v.MaxLength
	switch value := value.(type) {
	case string:
		length = len([]rune(value))
	case []any:
		length, minimum, maximum = len(value), v.MinItems, v.MaxItems
	default:
		return ""
	}
	if minimum != nil && int64(length) < *minimum || maximum != nil && int64(length) > *maximum {
		return fmt.Sprintf("Invalid value: %v: the length is %d", value, length)
	}
	return ""
}

func number(value any) (float64, bool) {
	switch n := value.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// isOf tells whether a value is of a type of OpenAPI.
func isOf(value any, typ string) bool {
	switch v := value.(type) {
	case map[string]any:
		return typ == "object"
	case []any:
		return typ == "array"
	case string:
		return typ == "string"
	case bool:
		return typ == "boolean"
	case int64:
		return typ == "integer" || typ == "number"
	case float64:
		return typ == "number" || typ == "integer" && v == math.Trunc(v)
	}
	return false
}
