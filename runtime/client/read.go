package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	kjson "sigs.k8s.io/json"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

// pageSize is how many objects a list reads with one request.
const pageSize = 500

// Get reads one object. The namespace of an object without one is empty. If there is no such object, apierrors.IsNotFound recognises the
// error, and [IgnoreNotFound] drops it.
func Get[T any, P Object[T]](ctx context.Context, c *Client, namespace, name string) (P, error) {
	r, err := resource[T](c)
	if err != nil {
		return nil, err
	}
	path, err := pathOf(r, namespace, name)
	if err != nil {
		return nil, err
	}
	body, err := c.server.Get(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	return decode[T, P](body)
}

// ListOption narrows what [List] reads.
type ListOption func(url.Values)

// Labels selects by labels, in the syntax of kubectl: "app=web,tier in (a,b),!canary".
func Labels(selector string) ListOption {
	return func(q url.Values) { q.Set("labelSelector", selector) }
}

// Fields selects by the fields that the API server can select by, for example "spec.nodeName=a" for Pods.
func Fields(selector string) ListOption {
	return func(q url.Values) { q.Set("fieldSelector", selector) }
}

// List reads the objects of one namespace, or of all if it is empty. It reads page by page, so objects that change meanwhile are seen as of
// the beginning.
func List[T any, P Object[T]](ctx context.Context, c *Client, namespace string, options ...ListOption) ([]P, error) {
	r, err := resource[T](c)
	if err != nil {
		return nil, err
	}
	if namespace != "" && !r.Namespaced {
		return nil, fmt.Errorf("list %s in namespace %q: they live in none", r, namespace)
	}
	query := url.Values{"limit": {strconv.Itoa(pageSize)}}
	for _, option := range options {
		option(query)
	}
	var all []P
	for {
		body, err := c.server.Get(ctx, r.Path(namespace, "", ""), query)
		if err != nil {
			return nil, err
		}
		var page struct {
			Metadata struct {
				Continue string `json:"continue"`
			} `json:"metadata"`
			Items []json.RawMessage `json:"items"`
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, fmt.Errorf("list %s: %w", r, err)
		}
		for _, item := range page.Items {
			object, err := decode[T, P](item)
			if err != nil {
				return nil, err
			}
			all = append(all, object)
		}
		if page.Metadata.Continue == "" {
			return all, nil
		}
		query.Set("continue", page.Metadata.Continue)
	}
}

// pathOf returns the path of an object, which must have a name, and a namespace where its kind has one.
func pathOf(r api.Resource, namespace, name string, subresource ...string) (string, error) {
	switch {
	case name == "":
		return "", fmt.Errorf("%s: the object has no name", r)
	case r.Namespaced && namespace == "":
		return "", fmt.Errorf("%s %q: the object has no namespace, and its kind lives in namespaces", r, name)
	case !r.Namespaced && namespace != "":
		return "", fmt.Errorf("%s %q: the object has the namespace %q, and its kind lives in none", r, name, namespace)
	}
	sub := ""
	if len(subresource) > 0 {
		sub = subresource[0]
	}
	return r.Path(namespace, name, sub), nil
}

// decode reads an object as the API server does: member names are case-sensitive.
func decode[T any, P Object[T]](body []byte) (P, error) {
	object := P(new(T))
	if err := kjson.UnmarshalCaseSensitivePreserveInts(body, object); err != nil {
		return nil, fmt.Errorf("the answer of the API server does not decode into %T: %w", object, err)
	}
	return object, nil
}
