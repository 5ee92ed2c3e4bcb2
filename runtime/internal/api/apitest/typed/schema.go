package typed

import (
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
)

// custom returns the types of a custom resource by its schema; without one they are deduced from what is there, and lists are of one piece.
func custom(kind apitest.Kind) (managedfields.TypeConverter, error) {
	if kind.Schema == nil {
		return managedfields.NewDeducedTypeConverter(), nil
	}
	root := kind.Schema.ToKubeOpenAPI()
	if root.Properties == nil {
		root.Properties = map[string]spec.Schema{}
	}
	root.Properties["metadata"] = *metadata
	root.Properties["apiVersion"], root.Properties["kind"] = text, text
	root.AddExtension("x-kubernetes-group-version-kind", []any{
		map[string]any{"group": kind.GVK.Group, "version": kind.GVK.Version, "kind": kind.GVK.Kind},
	})
	return managedfields.NewTypeConverter(map[string]*spec.Schema{"custom": root}, false)
}

var text = *spec.StringProperty()

// metadata is what matters of the schema of ObjectMeta: how its lists and maps are merged.
var metadata = func() *spec.Schema {
	owner := new(spec.Schema).Typed("object", "")
	for _, name := range []string{"apiVersion", "kind", "name", "uid"} {
		owner.SetProperty(name, text)
	}
	for _, name := range []string{"controller", "blockOwnerDeletion"} {
		owner.SetProperty(name, *spec.BooleanProperty())
	}
	owner.AddExtension("x-kubernetes-map-type", "atomic")
	owners := spec.ArrayProperty(owner)
	owners.AddExtension("x-kubernetes-list-type", "map")
	owners.AddExtension("x-kubernetes-list-map-keys", []any{"uid"})
	finalizers := spec.ArrayProperty(&text)
	finalizers.AddExtension("x-kubernetes-list-type", "set")

	m := new(spec.Schema).Typed("object", "")
	for _, name := range []string{
		"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp",
	} {
		m.SetProperty(name, text)
	}
	for _, name := range []string{"generation", "deletionGracePeriodSeconds"} {
		m.SetProperty(name, *spec.Int64Property())
	}
	for _, name := range []string{"labels", "annotations"} {
		m.SetProperty(name, *spec.MapProperty(&text))
	}
	m.SetProperty("ownerReferences", *owners)
	m.SetProperty("finalizers", *finalizers)
	m.SetProperty("managedFields", *spec.ArrayProperty(new(spec.Schema).Typed("object", "")))
	return m
}()
