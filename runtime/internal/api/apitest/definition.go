package apitest

import (
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var definitions = func() served {
	r := api.Resource{
		Group: "apiextensions.k8s.io", Version: "v1", Plural: "customresourcedefinitions", Kind: "CustomResourceDefinition", HasStatus: true,
	}
	return served{Resource: r, stored: r, builtIn: true}
}()

// Define has the server serve a custom resource, in all served versions, by its CustomResourceDefinition in YAML or JSON, as if it had been
// there from the start. Later ones are created as objects, by requests.
func (s *Server) Define(text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(text, &crd); err != nil {
		return fmt.Errorf("reading a CustomResourceDefinition: %w", err)
	}
	if crd.Kind != "CustomResourceDefinition" {
		return fmt.Errorf("reading a CustomResourceDefinition: it is of kind %q", crd.Kind)
	}
	versions, err := versions(&crd)
	if err != nil {
		return err
	}
	object, err := tree.Of(crd)
	if err != nil {
		return fmt.Errorf("definition %s: %w", crd.Name, err)
	}
	s.give(definitions, object.(map[string]any))
	s.define(crd.Spec.Group, crd.Spec.Names.Plural, versions)
	return nil
}

// versions returns what a definition has the server serve.
func versions(crd *apiextensionsv1.CustomResourceDefinition) ([]served, error) {
	resource := func(v apiextensionsv1.CustomResourceDefinitionVersion) api.Resource {
		return api.Resource{
			Group: crd.Spec.Group, Version: v.Name, Plural: crd.Spec.Names.Plural, Kind: crd.Spec.Names.Kind,
			Namespaced: crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
			HasStatus:  v.Subresources != nil && v.Subresources.Status != nil,
		}
	}
	stored := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Storage })
	if stored < 0 {
		return nil, fmt.Errorf("definition %s: no version is stored", crd.Name)
	}
	var all []served
	for _, v := range crd.Spec.Versions {
		if !v.Served {
			continue
		}
		r := served{Resource: resource(v), stored: resource(crd.Spec.Versions[stored])}
		for _, f := range v.SelectableFields {
			r.selectable = append(r.selectable, strings.Split(strings.TrimPrefix(f.JSONPath, "."), "."))
		}
		var err error
		if r.schema, err = newSchema(v.Schema); err != nil {
			return nil, fmt.Errorf("definition %s, version %s: %w", crd.Name, v.Name, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// define replaces what is served of a custom resource; with no versions, it is served no more.
func (s *Server) define(group, plural string, versions []served) {
	s.catalog.Lock()
	defer s.catalog.Unlock()
	s.resources = append(slices.DeleteFunc(slices.Clone(s.resources), func(r served) bool {
		return r.Group == group && r.Plural == plural
	}), versions...)
}

// defines takes a definition that was written, or is gone, into account.
func (s *Server) defines(object map[string]any, gone bool) {
	group, plural := tree.String(object, "spec", "group"), tree.String(object, "spec", "names", "plural")
	if gone {
		s.define(group, plural, nil)
		return
	}
	if all, err := readDefinition(object); err == nil {
		s.define(group, plural, all)
	}
}

func readDefinition(object map[string]any) ([]served, error) {
	text, err := tree.Encode(object)
	if err != nil {
		return nil, err
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(text, &crd); err != nil {
		return nil, err
	}
	return versions(&crd)
}

// established is the status of a definition that is in order.
func established(object map[string]any) map[string]any {
	names, _ := tree.Get(object, "spec", "names")
	var stored []any
	list, _ := tree.Get(object, "spec", "versions")
	items, _ := list.([]any)
	for _, v := range items {
		if is, _ := tree.Get(v, "storage"); is == true {
			stored = append(stored, tree.String(v, "name"))
		}
	}
	condition := func(typ, reason, message string) map[string]any {
		return map[string]any{"type": typ, "status": "True", "reason": reason, "message": message, "lastTransitionTime": timestamp()}
	}
	return map[string]any{
		"acceptedNames": names, "storedVersions": stored,
		"conditions": []any{
			condition("NamesAccepted", "NoConflicts", "no conflicts found"),
			condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
		},
	}
}
