// Package apply puts manifests into a cluster, as kubectl apply --server-side does, and waits until custom resource definitions
// among them can be used. The demo and the tests against a real API server begin with it.
package apply

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// fieldManager is the name under which the server remembers which fields we applied.
const fieldManager = "kopfgen"

const (
	// pollInterval is the pause between two looks at something that the server is about to do.
	pollInterval = 50 * time.Millisecond

	// kindTimeout bounds the wait for a kind that the server does not know (yet).
	kindTimeout = 15 * time.Second
)

// Applier applies manifests to one cluster.
type Applier struct {
	client dynamic.Interface
	mapper *restmapper.DeferredDiscoveryRESTMapper
}

// New returns an applier to the cluster of cfg.
func New(cfg *rest.Config) (*Applier, error) {
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("create a client: %w", err)
	}
	kinds, err := discovery.NewDiscoveryClientForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("create a discovery client: %w", err)
	}
	return &Applier{
		client: client,
		mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kinds)),
	}, nil
}

// Files applies all objects of YAML or JSON files, file by file, and returns them as the server has them then. Objects of
// namespaced kinds that name no namespace go to the one given.
func (a *Applier) Files(ctx context.Context, namespace string, paths ...string) ([]*unstructured.Unstructured, error) {
	var applied []*unstructured.Unstructured
	for _, path := range paths {
		manifest, err := os.ReadFile(path)
		if err != nil {
			return applied, fmt.Errorf("apply: %w", err)
		}
		objects, err := a.Manifest(ctx, namespace, manifest)
		applied = append(applied, objects...)
		if err != nil {
			return applied, fmt.Errorf("apply %s: %w", path, err)
		}
	}
	return applied, nil
}

// Manifest applies all objects of one YAML stream or JSON text, in their order, as Files does.
func (a *Applier) Manifest(ctx context.Context, namespace string, manifest []byte) ([]*unstructured.Unstructured, error) {
	objects, err := decode(manifest)
	if err != nil {
		return nil, err
	}
	applied := make([]*unstructured.Unstructured, 0, len(objects))
	for _, object := range objects {
		object, err := a.Object(ctx, namespace, object)
		if err != nil {
			return applied, err
		}
		applied = append(applied, object)
	}
	return applied, nil
}

// Object applies one object and returns it as the server has it then. A custom resource definition is waited for until its
// objects can be created.
func (a *Applier) Object(ctx context.Context, namespace string, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	kind := object.GroupVersionKind()
	resource, err := a.resource(ctx, kind, cmp.Or(object.GetNamespace(), namespace))
	if err != nil {
		return nil, err
	}
	applied, err := resource.Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: fieldManager, Force: true})
	if err != nil {
		return nil, fmt.Errorf("apply %s %q: %w", kind.Kind, object.GetName(), err)
	}
	if kind.GroupKind() == crdKind {
		return applied, a.waitForCRD(ctx, applied)
	}
	return applied, nil
}

// resource finds out where objects of a kind live, in the namespace if they live in one.
func (a *Applier) resource(ctx context.Context, kind schema.GroupVersionKind, namespace string) (dynamic.ResourceInterface, error) {
	mapping, err := a.Mapping(ctx, kind)
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return a.client.Resource(mapping.Resource), nil
	}
	return a.client.Resource(mapping.Resource).Namespace(namespace), nil
}

// Mapping finds out what the resource of a kind is called, and whether its objects live in namespaces. A kind may be announced a moment
// after its definition was established, so an unknown one is asked for again for a while.
func (a *Applier) Mapping(ctx context.Context, kind schema.GroupVersionKind) (*meta.RESTMapping, error) {
	ctx, cancel := context.WithTimeout(ctx, kindTimeout)
	defer cancel()
	for {
		mapping, err := a.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err == nil {
			return mapping, nil
		}
		select {
		case <-time.After(pollInterval):
			a.mapper.Reset()
		case <-ctx.Done():
			return nil, fmt.Errorf("find the resource of %s: %w", kind, err)
		}
	}
}

// decode splits a YAML stream into its objects; documents without content are left out.
func decode(manifest []byte) ([]*unstructured.Unstructured, error) {
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(manifest)))
	var objects []*unstructured.Unstructured
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the manifest: %w", err)
		}
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, &object.Object); err != nil {
			return nil, fmt.Errorf("decode object %d of the manifest: %w", len(objects)+1, err)
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}
