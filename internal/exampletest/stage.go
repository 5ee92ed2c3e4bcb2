package exampletest

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/controlplane/apply"
)

// definitions are where the generator puts the definitions of an example's kinds.
const definitions = "config/crd/*.yaml"

// Stage is where one test of an example plays: a namespace of an API server that knows the kinds of the example.
type Stage struct {
	t         testing.TB
	cp        *controlplane.ControlPlane
	namespace string
	applier   *apply.Applier
	client    dynamic.Interface
	resources map[schema.GroupKind]schema.GroupVersionResource
}

// New prepares a stage for the example in the current directory. Everything on it ends with the test.
func New(t testing.TB) *Stage {
	t.Helper()
	return NewFor(t, definitions)
}

// NewFor prepares a stage for the kinds that the files define which match the pattern.
func NewFor(t testing.TB, pattern string) *Stage {
	t.Helper()
	cp := controlplane.Shared(t)
	s := &Stage{t: t, cp: cp, namespace: cp.Namespace(t), resources: map[schema.GroupKind]schema.GroupVersionResource{}}
	var err error
	if s.client, err = dynamic.NewForConfig(cp.Config()); err != nil {
		t.Fatal(err)
	}
	if s.applier, err = apply.New(cp.Config()); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no definitions in %s: run make generate (%v)", pattern, err)
	}
	for _, crd := range s.apply(files...) {
		kind, resource := served(crd)
		s.resources[kind] = resource
	}
	return s
}

// Namespace returns the name of the namespace.
func (s *Stage) Namespace() string { return s.namespace }

// Apply applies the objects of a file to the namespace and returns them by name, watched from now on.
func (s *Stage) Apply(file string) map[string]*Object {
	s.t.Helper()
	return s.followAll(s.apply(file))
}

// Manifest applies objects given as YAML text, as Apply does.
func (s *Stage) Manifest(text string) map[string]*Object {
	s.t.Helper()
	return s.followAll(s.cp.Apply(s.t, s.namespace, text))
}

func (s *Stage) followAll(applied []*unstructured.Unstructured) map[string]*Object {
	s.t.Helper()
	objects := map[string]*Object{}
	for _, one := range applied {
		o, err := s.follow(one)
		if err != nil {
			s.t.Fatal(err)
		}
		objects[one.GetName()] = o
	}
	return objects
}

func (s *Stage) apply(files ...string) []*unstructured.Unstructured {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	applied, err := s.applier.Files(ctx, s.namespace, files...)
	if err != nil {
		s.t.Fatal(err)
	}
	return applied
}

// follow begins to watch an object that was applied.
func (s *Stage) follow(applied *unstructured.Unstructured) (*Object, error) {
	resource, ok := s.resources[applied.GroupVersionKind().GroupKind()]
	if !ok {
		return nil, fmt.Errorf("%s is not a kind of this example", applied.GroupVersionKind())
	}
	client := s.client.Resource(resource).Namespace(applied.GetNamespace())
	watch, err := client.Watch(s.t.Context(), metav1.ListOptions{
		FieldSelector:   "metadata.name=" + applied.GetName(),
		ResourceVersion: applied.GetResourceVersion(),
	})
	if err != nil {
		return nil, fmt.Errorf("watching %s %q: %w", applied.GetKind(), applied.GetName(), err)
	}
	o := &Object{t: s.t, client: client, name: applied.GetName(), changed: make(chan struct{})}
	if err := o.add(applied, false); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		o.record(watch)
	}()
	s.t.Cleanup(func() {
		watch.Stop()
		<-ended
		o.show()
	})
	return o, nil
}

// served returns the kind that a definition defines, and the resource of its first version.
func served(crd *unstructured.Unstructured) (schema.GroupKind, schema.GroupVersionResource) {
	group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
	plural, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "plural")
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	version := ""
	if len(versions) > 0 {
		first, _ := versions[0].(map[string]any)
		version, _ = first["name"].(string)
	}
	return schema.GroupKind{Group: group, Kind: kind}, schema.GroupVersionResource{Group: group, Version: version, Resource: plural}
}
