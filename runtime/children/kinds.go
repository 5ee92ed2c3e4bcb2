package children

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

// mapped has a RESTMapper find the kinds.
type mapped struct{ mapper meta.RESTMapper }

func (m mapped) find(_ context.Context, kind schema.GroupVersionKind) (place, error) {
	found, err := m.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return place{}, err
	}
	return place{resource: found.Resource, namespaced: found.Scope.Name() == meta.RESTScopeNameNamespace}, nil
}

// discovered asks the API server, and remembers what it answered. A kind that it did not name is asked for again, since it may have come
// meanwhile: CRDs and their objects often arrive together.
type discovered struct {
	server *api.Client

	mu    sync.Mutex
	known map[schema.GroupVersionKind]place
}

func (d *discovered) find(ctx context.Context, kind schema.GroupVersionKind) (place, error) {
	if p, ok := d.recall(kind); ok {
		return p, nil
	}
	version := kind.GroupVersion()
	path := "/apis/" + version.String()
	if version.Group == "" {
		path = "/api/" + version.Version
	}
	body, err := d.server.Get(ctx, path, nil)
	if apierrors.IsNotFound(err) {
		return place{}, missing(kind)
	}
	if err != nil {
		return place{}, fmt.Errorf("find the resource of %s: %w", kind, err)
	}
	var list metav1.APIResourceList
	if err := json.Unmarshal(body, &list); err != nil {
		return place{}, fmt.Errorf("find the resource of %s: %w", kind, err)
	}
	d.remember(version, list.APIResources)
	if p, ok := d.recall(kind); ok {
		return p, nil
	}
	return place{}, missing(kind)
}

func (d *discovered) recall(kind schema.GroupVersionKind) (place, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.known[kind]
	return p, ok
}

func (d *discovered) remember(version schema.GroupVersion, resources []metav1.APIResource) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil {
		d.known = map[schema.GroupVersionKind]place{}
	}
	for _, r := range resources {
		// Sub-resources have kinds, too: deployments/scale has Scale.
		if !strings.Contains(r.Name, "/") {
			d.known[version.WithKind(r.Kind)] = place{resource: version.WithResource(r.Name), namespaced: r.Namespaced}
		}
	}
}

// missing is the error of a RESTMapper that does not know a kind; meta.IsNoMatchError recognises it.
func missing(kind schema.GroupVersionKind) error {
	return &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
}
