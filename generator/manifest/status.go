package manifest

import (
	"go/types"
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// completeStatus makes room in a definition for what the operator writes to the status of a kind: the API server drops what the schema
// does not name, without an error.
func (w *world) completeStatus(def *apiextensionsv1.CustomResourceDefinition, k Kind, diags *diagnostic.List) {
	root := w.rootSchema(def, k)
	if root == nil {
		return
	}
	status, exists := root.Properties["status"]
	if !exists {
		if len(k.Results) == 0 && !k.Unknown {
			return
		}
		status = apiextensionsv1.JSONSchemaProps{Type: "object", Description: "what handlers have returned"}
	}
	if status.Type != "" && status.Type != "object" {
		for _, r := range k.Results {
			diags.Addf(r.Pos, codeCollision, "drop the result with result=none", "the status of %s is not an object, so it cannot take the result", k.Type.Name())
		}
		return
	}
	relax(&status)
	for _, r := range k.Results {
		addResult(&status, k, r, diags)
	}
	if k.Unknown {
		open := true
		status.XPreserveUnknownFields = &open
	}
	if root.Properties == nil {
		root.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
	}
	root.Properties["status"] = status
}

// rootSchema finds the schema of the kind's version.
func (w *world) rootSchema(def *apiextensionsv1.CustomResourceDefinition, k Kind) *apiextensionsv1.JSONSchemaProps {
	version := w.parser.GroupVersions[w.all[k.Type.Pkg().Path()]].Version
	for i, v := range def.Spec.Versions {
		if v.Name == version && v.Schema != nil {
			return def.Spec.Versions[i].Schema.OpenAPIV3Schema
		}
	}
	return nil
}

// relax makes all fields of a status optional: each handler writes the part that it knows, and the API server would refuse the first of
// them. Elements of lists are written as a whole and keep their required fields.
func relax(s *apiextensionsv1.JSONSchemaProps) {
	s.Required = nil
	for name, part := range s.Properties {
		relax(&part)
		s.Properties[name] = part
	}
}

func addResult(status *apiextensionsv1.JSONSchemaProps, k Kind, r Result, diags *diagnostic.List) {
	if has, ok := statusMember(k, r.Key); ok {
		if !types.Identical(deref(has), deref(r.Type)) {
			diags.Addf(r.Pos, codeCollision, "choose another key with result=<key>, or drop the result with result=none",
				"the result of type %s would go to status.%s of type %s", typeName(r.Type, k), r.Key, typeName(has, k))
		}
		return
	}
	if status.Properties == nil {
		status.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
	}
	schema := schemaOf(r.Type)
	if there, ok := status.Properties[r.Key]; ok && !reflect.DeepEqual(there, schema) {
		diags.Addf(r.Pos, codeCollision, "choose another key with result=<key>, or drop the result with result=none",
			"the result of type %s would go to status.%s, as another handler's of another type does", typeName(r.Type, k), r.Key)
		return
	}
	status.Properties[r.Key] = schema
}

// warnPruned warns about results that would be lost, since the kind's definition belongs to others.
func warnPruned(k Kind, diags *diagnostic.List) {
	for _, r := range k.Results {
		if has, ok := statusMember(k, r.Key); ok && types.Identical(deref(has), deref(r.Type)) {
			continue
		}
		diags.Add(diagnostic.Diagnostic{
			Pos: r.Pos, Code: codePruned, Warning: true,
			Message: "the status of " + k.Type.Name() + " has no field " + r.Key + ": the API server will drop the result",
			Hint:    "write result=none, or return a field that the status has",
		})
	}
}

func statusMember(k Kind, key string) (types.Type, bool) {
	status, ok := memberType(k.Type.Type(), "status")
	if !ok {
		return nil, false
	}
	return memberType(status, key)
}

// typeName prints a type as the author would write it beside the kind.
func typeName(t types.Type, k Kind) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == k.Type.Pkg() {
			return ""
		}
		return p.Name()
	})
}
