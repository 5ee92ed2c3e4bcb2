package client

import (
	"errors"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

// Client sends requests to one API server. It is safe for concurrent use.
type Client struct {
	server  *api.Client
	manager string
	kinds   map[reflect.Type]api.Resource
}

// Kind says where the API keeps the objects of a Go type. Generated code makes one with [Of] for each type that the operator's code uses.
type Kind struct {
	goType   reflect.Type
	resource api.Resource
}

// Object is a pointer to a type of a Kubernetes API, such as *corev1.Pod.
type Object[T any] interface {
	*T
	metav1.Object
}

// Of says where the objects of type T are kept: under a group, empty for the core, a version and the plural name that paths have.
func Of[T any, P Object[T]](group, version, kind, plural string, namespaced bool) Kind {
	return Kind{
		goType:   reflect.TypeFor[T](),
		resource: api.Resource{Group: group, Version: version, Kind: kind, Plural: plural, Namespaced: namespaced},
	}
}

// New makes a client for cfg, which is copied. Handlers need not call it: they take a *Client as a parameter. It is for tests of handlers.
//
// The manager is the name under which the API server remembers which fields the program has set; it should stay the same across its versions.
// Requests take at most a minute unless cfg says otherwise, and are not limited on the client's side: the server limits them.
func New(cfg *rest.Config, manager string, kinds ...Kind) (*Client, error) {
	if manager == "" {
		return nil, errors.New("make a client: no name was given for the manager of the fields that it sets")
	}
	server, err := api.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	c := &Client{server: server, manager: manager, kinds: map[reflect.Type]api.Resource{}}
	for _, k := range kinds {
		c.kinds[k.goType] = k.resource
	}
	return c, nil
}

// resource returns where the objects of type T are kept.
func resource[T any](c *Client) (api.Resource, error) {
	t := reflect.TypeFor[T]()
	r, ok := c.kinds[t]
	if !ok {
		return r, fmt.Errorf("the client does not know where objects of type %s are kept: kopfgen adds the types that it finds in calls of this package, "+
			"in the packages of the operator; where it cannot see the type, as in a generic function, call the function for it once elsewhere", t)
	}
	return r, nil
}
