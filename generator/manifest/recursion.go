package manifest

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// recursive reports the fields through which a kind's types contain themselves. controller-tools leaves the schema open there and says
// nothing, and the API server refuses the definition.
func (w *world) recursive(k Kind, diags *diagnostic.List) bool {
	root := crd.TypeIdent{Package: w.all[k.Type.Pkg().Path()], Name: k.Type.Name()}
	w.parser.NeedSchemaFor(root)
	found := false
	done := map[crd.TypeIdent]bool{}
	var visit func(t crd.TypeIdent, path []crd.TypeIdent)
	visit = func(t crd.TypeIdent, path []crd.TypeIdent) {
		if done[t] {
			return
		}
		path = append(slices.Clip(path), t)
		for _, r := range references(t, w.parser.Schemata[t]) {
			if !slices.Contains(path, r.to) {
				visit(r.to, path)
				continue
			}
			found = true
			pos := k.Pos
			if field := fieldOf(w.parser.Types[t], r.property); field != nil {
				pos = w.at(field.RawField)
			}
			diags.Addf(pos, codeRecursive,
				"mark a field on the way with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields",
				"type %s contains itself, which no schema can describe", r.to.Name)
		}
		done[t] = true
	}
	visit(root, nil)
	return found
}

// reference is a link from a property of one type to another type.
type reference struct {
	property string
	to       crd.TypeIdent
}

// references lists the links of a schema that has not been flattened yet, by property; links of the type itself have no property.
func references(from crd.TypeIdent, s apiextensionsv1.JSONSchemaProps) []reference {
	var all []reference
	add := func(property string, part *apiextensionsv1.JSONSchemaProps) {
		crd.EditSchema(part, visitor(func(node *apiextensionsv1.JSONSchemaProps) {
			if node.Ref == nil || *node.Ref == "" {
				return
			}
			if to, ok := target(from, *node.Ref); ok {
				all = append(all, reference{property: property, to: to})
			}
		}))
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		part := s.Properties[name]
		add(name, part.DeepCopy())
	}
	rest := s.DeepCopy()
	rest.Properties = nil
	add("", rest)
	return all
}

// target resolves a reference.
func target(from crd.TypeIdent, ref string) (crd.TypeIdent, bool) {
	name, path, err := crd.RefParts(ref)
	if err != nil {
		return crd.TypeIdent{}, false
	}
	p := from.Package
	if path != "" {
		p = p.Imports()[path]
	}
	return crd.TypeIdent{Package: p, Name: name}, p != nil
}

// visitor calls a function for each part of a schema.
type visitor func(*apiextensionsv1.JSONSchemaProps)

// Visit implements [crd.SchemaVisitor].
func (v visitor) Visit(s *apiextensionsv1.JSONSchemaProps) crd.SchemaVisitor {
	if s != nil {
		v(s)
	}
	return v
}

// fieldOf finds the field of a type by its JSON name.
func fieldOf(info *markers.TypeInfo, name string) *markers.FieldInfo {
	if info == nil {
		return nil
	}
	for i, f := range info.Fields {
		if jsonName, _ := parseTag(f.Tag.Get("json")); jsonName == name {
			return &info.Fields[i]
		}
	}
	return nil
}
