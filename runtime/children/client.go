package children

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

// Client sends children to one API server. It is safe for concurrent use, and remembers where the server keeps the objects of each kind, so
// an operator should make one at startup.
type Client struct {
	// Scheme, if set, knows the kinds of objects whose TypeMeta is empty, for example the scheme of client-go, which knows all that
	// Kubernetes itself has. Set it before the first use.
	Scheme *runtime.Scheme

	objects dynamic.Interface
	kinds   kinds
	manager string
}

// kinds finds out where the objects of a kind are kept.
type kinds interface {
	find(ctx context.Context, kind schema.GroupVersionKind) (place, error)
}

// place is where the objects of a kind are kept.
type place struct {
	resource   schema.GroupVersionResource
	namespaced bool
}

// NewForConfig makes a client for cfg, which is copied. The manager is the name under which the API server remembers which fields are the
// operator's: what one manager no longer applies is removed for that manager only. So the name must stay the same across versions of an
// operator, and differ between operators. Unless cfg says otherwise, a request may take a minute, and there is no client-side rate limit:
// the server has its own.
func NewForConfig(cfg *rest.Config, manager string) (*Client, error) {
	cfg = rest.CopyConfig(cfg)
	if cfg.QPS == 0 {
		cfg.QPS = -1
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = api.RequestTimeout
	}
	objects, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("make a client for children: %w", err)
	}
	server, err := api.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("make a client for children: %w", err)
	}
	return newClient(objects, &discovered{server: server}, manager)
}

// New makes a client from an existing one, for tests of handlers and for operators within a larger program. The mapper knows where the
// objects of each kind are kept. See [NewForConfig] for the manager.
func New(client dynamic.Interface, mapper meta.RESTMapper, manager string) (*Client, error) {
	return newClient(client, mapped{mapper}, manager)
}

func newClient(objects dynamic.Interface, kinds kinds, manager string) (*Client, error) {
	if manager == "" {
		return nil, errors.New("make a client for children: no name was given for the manager of their fields")
	}
	return &Client{objects: objects, kinds: kinds, manager: manager}, nil
}

// in returns the collection in which a child of this namespace is kept.
func (c *Client) in(p place, namespace string) dynamic.ResourceInterface {
	if p.namespaced {
		return c.objects.Resource(p.resource).Namespace(namespace)
	}
	return c.objects.Resource(p.resource)
}
