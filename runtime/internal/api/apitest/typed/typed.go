// Package typed gives the API server in memory what takes knowing the types of objects field by field: it keeps who owns which field, and
// merges apply patches and strategic merge patches. It does so with the libraries of Kubernetes that the API server uses, and by the types of
// client-go, which is why it is a package of its own: tests of the engine need neither.
package typed

import (
	"errors"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Types implements apitest.Types.
type Types struct {
	builtIn managedfields.TypeConverter

	mu       sync.Mutex
	managers map[key]*managedfields.FieldManager
}

// key tells managers apart. A definition that changes has another schema.
type key struct {
	apitest.Kind
	subresource string
}

// New returns the types of Kubernetes, and room for those of custom resources.
func New() *Types {
	return &Types{builtIn: applyconfigurations.NewTypeConverter(scheme.Scheme), managers: map[key]*managedfields.FieldManager{}}
}

// Updated implements apitest.Types.
func (t *Types) Updated(kind apitest.Kind, subresource string, before, after map[string]any, manager string) (map[string]any, error) {
	m, err := t.manager(kind, subresource)
	if err != nil {
		return nil, err
	}
	object, err := m.Update(object(kind, before), object(kind, after), manager)
	return content(object, err)
}

// Applied implements apitest.Types.
func (t *Types) Applied(kind apitest.Kind, subresource string, before, patch map[string]any, manager string, force bool) (map[string]any, error) {
	m, err := t.manager(kind, subresource)
	if err != nil {
		return nil, err
	}
	object, err := m.Apply(object(kind, before), &unstructured.Unstructured{Object: patch}, manager, force)
	return content(object, err)
}

// Merged implements apitest.Types.
func (t *Types) Merged(kind apitest.Kind, before, patch []byte) ([]byte, error) {
	typed, err := scheme.Scheme.New(kind.GVK)
	if err != nil {
		return nil, fmt.Errorf("a strategic merge patch is for built-in kinds: %w", err)
	}
	return strategicpatch.StrategicMergePatch(before, patch, typed)
}

func object(kind apitest.Kind, content map[string]any) *unstructured.Unstructured {
	if content == nil {
		return empty(kind)
	}
	return &unstructured.Unstructured{Object: tree.Copy(content).(map[string]any)}
}

func empty(kind apitest.Kind) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(kind.GVK)
	return u
}

func content(object runtime.Object, err error) (map[string]any, error) {
	if err != nil {
		return nil, err
	}
	text, err := tree.Encode(object.(*unstructured.Unstructured).Object)
	if err != nil {
		return nil, err
	}
	return tree.DecodeObject(text)
}

// manager returns what knows the owners of the fields of a kind, or of its sub-resource.
func (t *Types) manager(kind apitest.Kind, subresource string) (*managedfields.FieldManager, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := key{kind, subresource}
	if m, ok := t.managers[k]; ok {
		return m, nil
	}
	converter := t.builtIn
	gvk := kind.GVK
	if !scheme.Scheme.Recognizes(gvk) {
		var err error
		if converter, err = custom(kind); err != nil {
			return nil, fmt.Errorf("types of %s: %w", gvk, err)
		}
	}
	// Fields that a request cannot set have no owner in it.
	reset := map[fieldpath.APIVersion]fieldpath.Filter{}
	version := fieldpath.APIVersion(gvk.GroupVersion().String())
	switch {
	case subresource != "":
		reset[version] = fieldpath.NewExcludeSetFilter(fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec")))
	case kind.HasStatus:
		reset[version] = fieldpath.NewExcludeSetFilter(fieldpath.NewSet(fieldpath.MakePathOrDie("status")))
	}
	m, err := managedfields.NewDefaultCRDFieldManager(converter, relabel{}, none{}, creator{kind}, gvk, gvk.GroupVersion(), subresource, reset)
	if err != nil {
		return nil, err
	}
	t.managers[k] = m
	return m, nil
}

// relabel converts as the server does for definitions without a webhook: nothing changes but the apiVersion.
type relabel struct{}

// Convert implements runtime.ObjectConvertor.
func (relabel) Convert(_, _, _ any) error { return errors.New("not supported") }

// ConvertToVersion implements runtime.ObjectConvertor.
func (relabel) ConvertToVersion(in runtime.Object, version runtime.GroupVersioner) (runtime.Object, error) {
	gvk, ok := version.KindForGroupVersionKinds([]schema.GroupVersionKind{in.GetObjectKind().GroupVersionKind()})
	if !ok {
		return nil, fmt.Errorf("no version of %s", in.GetObjectKind().GroupVersionKind())
	}
	out := in.DeepCopyObject()
	out.GetObjectKind().SetGroupVersionKind(gvk)
	return out, nil
}

// ConvertFieldLabel implements runtime.ObjectConvertor.
func (relabel) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

// none sets no defaults: the server does that itself.
type none struct{}

// Default implements runtime.ObjectDefaulter.
func (none) Default(runtime.Object) {}

type creator struct{ kind apitest.Kind }

// New implements runtime.ObjectCreater.
func (c creator) New(schema.GroupVersionKind) (runtime.Object, error) { return empty(c.kind), nil }
