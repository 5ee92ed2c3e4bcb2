package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

// Create makes an object, and returns it as the server has it. Its apiVersion and kind need not be set. If there is one of that name,
// apierrors.IsAlreadyExists recognises the error, and [IgnoreAlreadyExists] drops it.
func Create[T any, P Object[T]](ctx context.Context, c *Client, object P) (P, error) {
	r, err := resource[T](c)
	if err != nil {
		return nil, err
	}
	if r.Namespaced && object.GetNamespace() == "" {
		return nil, fmt.Errorf("create %s %q: the object has no namespace, and its kind lives in namespaces", r, object.GetName())
	}
	body, err := encode(r, object, nil)
	if err != nil {
		return nil, fmt.Errorf("create %s %q: %w", r, object.GetName(), err)
	}
	answer, err := c.server.Post(ctx, r.Path(object.GetNamespace(), "", ""), body, url.Values{"fieldManager": {c.manager}})
	if err != nil {
		return nil, err
	}
	return decode[T, P](answer)
}

// Apply brings an object to what it should be, by server-side apply: it is made if it is not there; fields that it does not mention are
// left to others; fields that it mentioned the last time, and no longer, are removed; fields that others have set differently are taken from
// them. Its status is not sent. Describe the object anew each time, and do not apply what was read, or all of it counts as the program's.
func Apply[T any, P Object[T]](ctx context.Context, c *Client, object P) (P, error) {
	r, err := resource[T](c)
	if err != nil {
		return nil, err
	}
	path, err := pathOf(r, object.GetNamespace(), object.GetName())
	if err != nil {
		return nil, fmt.Errorf("apply: %w", err)
	}
	if object.GetResourceVersion() != "" || object.GetUID() != "" || len(object.GetManagedFields()) > 0 {
		return nil, fmt.Errorf("apply %s %q: it was read from a cluster: describe what it should be, and nothing else", r, object.GetName())
	}
	body, err := encode(r, object, []string{"status"})
	if err != nil {
		return nil, fmt.Errorf("apply %s %q: %w", r, object.GetName(), err)
	}
	answer, err := c.server.Patch(ctx, path, types.ApplyPatchType, body, url.Values{"fieldManager": {c.manager}, "force": {"true"}})
	if err != nil {
		return nil, err
	}
	return decode[T, P](answer)
}

// Patch changes an object by a merge patch, and returns it as the server has it then. Functions of the patch are refused: they need
// the state that they edit, which only a handler's own object has. If there is no such object, apierrors.IsNotFound recognises the error.
func Patch[T any, P Object[T]](ctx context.Context, c *Client, namespace, name string, patch *kopf.Patch) (P, error) {
	return merge[T, P](ctx, c, namespace, name, patch)
}

// PatchStatus is [Patch] for the status, where that is a sub-resource.
func PatchStatus[T any, P Object[T]](ctx context.Context, c *Client, namespace, name string, patch *kopf.Patch) (P, error) {
	return merge[T, P](ctx, c, namespace, name, patch, "status")
}

func merge[T any, P Object[T]](ctx context.Context, c *Client, namespace, name string, patch *kopf.Patch, subresource ...string) (P, error) {
	r, err := resource[T](c)
	if err != nil {
		return nil, err
	}
	path, err := pathOf(r, namespace, name, subresource...)
	if err != nil {
		return nil, fmt.Errorf("patch: %w", err)
	}
	if patch == nil {
		return nil, fmt.Errorf("patch %s %q: there is no patch", r, name)
	}
	if len(patch.Funcs()) > 0 {
		return nil, fmt.Errorf("patch %s %q: %w", r, name, errFuncs)
	}
	body, err := json.Marshal(patch)
	if err != nil {
		return nil, fmt.Errorf("patch %s %q: %w", r, name, err)
	}
	answer, err := c.server.Patch(ctx, path, types.MergePatchType, body, url.Values{"fieldManager": {c.manager}})
	if err != nil {
		return nil, err
	}
	return decode[T, P](answer)
}

var errFuncs = errors.New("functions of a patch are for the handled object only")

// Delete asks for the deletion of an object and of what it owns, and does not wait for it. If there is no such object,
// apierrors.IsNotFound recognises the error, and [IgnoreNotFound] drops it.
func Delete[T any, P Object[T]](ctx context.Context, c *Client, namespace, name string) error {
	r, err := resource[T](c)
	if err != nil {
		return err
	}
	path, err := pathOf(r, namespace, name)
	if err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	background := metav1.DeletePropagationBackground
	body, err := json.Marshal(metav1.DeleteOptions{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"}, PropagationPolicy: &background,
	})
	if err != nil {
		return fmt.Errorf("delete %s %q: %w", r, name, err)
	}
	_, err = c.server.Delete(ctx, path, body)
	return err
}

// encode writes an object with its kind, without the members named and without nulls: a Go type that cannot leave out what is not set
// does not mean it.
func encode(r api.Resource, object any, without []string) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&doc); err != nil {
		return nil, err
	}
	for _, member := range without {
		delete(doc, member)
	}
	dropNulls(doc)
	doc["apiVersion"], doc["kind"] = r.APIVersion(), r.Kind
	return json.Marshal(doc)
}

func dropNulls(value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			if item == nil {
				delete(v, key)
			} else {
				dropNulls(item)
			}
		}
	case []any:
		for _, item := range v {
			dropNulls(item)
		}
	}
}
