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
	// generated tells that the current directory is an example's, with what the generator made.
	generated bool
}

// New prepares a stage for the example in the current directory. Everything on it ends with the test.
func New(t testing.TB) *Stage {
	t.Helper()
	s := NewFor(t, definitions)
	s.generated = true
	return s
}

// NewFor prepares a stage for the kinds that the files define which match the pattern; an empty one is for operators of built-in kinds.
func NewFor(t testing.TB, pattern string) *Stage {
	t.Helper()
	cp := controlplane.Shared(t)
	s := &Stage{t: t, cp: cp, namespace: cp.Namespace(t)}
	var err error
	if s.client, err = dynamic.NewForConfig(cp.Config()); err != nil {
		t.Fatal(err)
	}
	if s.applier, err = apply.New(cp.Config()); err != nil {
		t.Fatal(err)
	}
	if pattern == "" {
		return s
	}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no definitions in %s: run make generate (%v)", pattern, err)
	}
	s.apply(files...)
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

// Follow watches an object of the stage's namespace that others make, such as a child, or have made.
func (s *Stage) Follow(apiVersion, kind, name string) *Object {
	s.t.Helper()
	o, err := s.watch(schema.FromAPIVersionAndKind(apiVersion, kind), s.namespace, name, "")
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

// follow begins to watch an object that was applied.
func (s *Stage) follow(applied *unstructured.Unstructured) (*Object, error) {
	return s.watch(applied.GroupVersionKind(), applied.GetNamespace(), applied.GetName(), applied.GetResourceVersion(), applied)
}

// watch records the states of an object: those that are given, and all that come after the version.
func (s *Stage) watch(kind schema.GroupVersionKind, namespace, name, version string, states ...*unstructured.Unstructured) (*Object, error) {
	mapping, err := s.applier.Mapping(s.t.Context(), kind)
	if err != nil {
		return nil, err
	}
	client := s.client.Resource(mapping.Resource).Namespace(namespace)
	watch, err := client.Watch(s.t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + name, ResourceVersion: version})
	if err != nil {
		return nil, fmt.Errorf("watching %s %q: %w", kind.Kind, name, err)
	}
	o := &Object{t: s.t, client: client, name: name, changed: make(chan struct{})}
	for _, state := range states {
		if err := o.add(state, false); err != nil {
			return nil, err
		}
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
