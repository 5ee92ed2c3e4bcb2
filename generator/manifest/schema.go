package manifest

import (
	"go/types"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kopfgen/kopfgen/generator/schema"
)

// schemaOf describes what encoding/json makes of a result. A result is not an API type: it needs neither tags nor markers, so the schema
// follows from the Go type alone, and is left open where that does not say enough.
func schemaOf(t types.Type) apiextensionsv1.JSONSchemaProps { return describe(t, nil) }

// known holds the types whose JSON is not what their structure says.
var known = map[string]apiextensionsv1.JSONSchemaProps{
	"time.Time": {Type: "string", Format: "date-time"},
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       {Type: "string", Format: "date-time", Nullable: true},
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  {Type: "string", Format: "date-time", Nullable: true},
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   {Type: "string"},
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   intOrString,
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": intOrString,
	"encoding/json.Number":                            {Type: "number"},
}

var intOrString = apiextensionsv1.JSONSchemaProps{
	XIntOrString: true,
	AnyOf:        []apiextensionsv1.JSONSchemaProps{{Type: "integer"}, {Type: "string"}},
}

// describe does the work; within holds the types around t.
func describe(t types.Type, within []types.Type) apiextensionsv1.JSONSchemaProps {
	t = types.Unalias(t)
	if named, ok := t.(*types.Named); ok {
		if s, ok := known[qualified(named)]; ok {
			return *s.DeepCopy()
		}
		if slices.ContainsFunc(within, func(w types.Type) bool { return types.Identical(w, t) }) || hasMethod(named, "MarshalJSON") {
			return open()
		}
		if hasMethod(named, "MarshalText") {
			return apiextensionsv1.JSONSchemaProps{Type: "string"}
		}
		within = append(slices.Clip(within), t)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basic(u)
	case *types.Pointer:
		return describe(u.Elem(), within)
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return apiextensionsv1.JSONSchemaProps{Type: "string", Format: "byte"}
		}
		return array(u.Elem(), within)
	case *types.Array:
		return array(u.Elem(), within)
	case *types.Map:
		values := describe(u.Elem(), within)
		values.Nullable = nilable(u.Elem())
		return apiextensionsv1.JSONSchemaProps{
			Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &values},
		}
	case *types.Struct:
		return object(u, within)
	}
	return open()
}

// open is the schema of a value that may be anything.
func open() apiextensionsv1.JSONSchemaProps {
	yes := true
	return apiextensionsv1.JSONSchemaProps{XPreserveUnknownFields: &yes}
}

func array(elem types.Type, within []types.Type) apiextensionsv1.JSONSchemaProps {
	items := describe(elem, within)
	items.Nullable = nilable(elem)
	return apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &items}}
}

func object(s *types.Struct, within []types.Type) apiextensionsv1.JSONSchemaProps {
	props := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for _, f := range schema.Fields(s) {
		p := describe(f.Type(), within)
		if f.String {
			p = apiextensionsv1.JSONSchemaProps{Type: "string"}
		}
		if _, options := parseTag(f.Tag.Get("json")); nilable(f.Type()) && !omitted(options) {
			p.Nullable = true
		}
		props.Properties[f.JSON] = p
	}
	return props
}

func basic(b *types.Basic) apiextensionsv1.JSONSchemaProps {
	switch {
	case b.Info()&types.IsBoolean != 0:
		return apiextensionsv1.JSONSchemaProps{Type: "boolean"}
	case b.Info()&types.IsString != 0:
		return apiextensionsv1.JSONSchemaProps{Type: "string"}
	case b.Info()&types.IsFloat != 0:
		return apiextensionsv1.JSONSchemaProps{Type: "number"}
	case b.Kind() == types.Int32:
		return apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int32"}
	case b.Kind() == types.Int64:
		return apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int64"}
	case b.Info()&types.IsInteger != 0:
		return apiextensionsv1.JSONSchemaProps{Type: "integer"}
	}
	return open()
}

// nilable reports whether a type has a value that encodes to null.
func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return true
	}
	return false
}

func qualified(n *types.Named) string {
	if n.Obj().Pkg() == nil {
		return n.Obj().Name()
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// hasMethod reports whether a type, or a pointer to it, has a method.
func hasMethod(n *types.Named, name string) bool {
	m, _, _ := types.LookupFieldOrMethod(n, true, n.Obj().Pkg(), name)
	_, ok := m.(*types.Func)
	return ok
}
