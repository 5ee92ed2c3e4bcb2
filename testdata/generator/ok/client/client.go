// Package client uses objects beside the handled ones, in all ways that can be followed.
//
// +groupName=cases.kopf.dev
// +versionName=v1
// +kopf:operator=client-case
package client

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/children"
	"github.com/kopfgen/kopfgen/runtime/client"
)

//go:generate go tool kopfgen

// Site has no status sub-resource.
//
// +kubebuilder:object:root=true
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec SiteSpec `json:"spec"`
}

// SiteSpec is empty.
type SiteSpec struct{}

// Serve takes the client.
//
// +kopf:on=create
func Serve(ctx context.Context, site *Site, c *client.Client, family *children.Client) (string, error) {
	node, err := client.Get[corev1.Node](ctx, c, "", "a")
	if err != nil {
		return "", err
	}
	if _, err := client.List[corev1.Pod](ctx, c, site.Namespace, client.Labels("app=web")); err != nil {
		return "", err
	}
	if _, err := client.PatchStatus[corev1.Pod](ctx, c, site.Namespace, "web", new(kopf.Patch)); err != nil {
		return "", err
	}
	if err := remove[corev1.Secret](ctx, c, site.Namespace); err != nil {
		return "", err
	}
	if _, err := children.Delete(ctx, family, site, &appsv1.Deployment{}); err != nil {
		return "", err
	}
	_, _, err = children.Apply(ctx, family, site, &corev1.Service{})
	return node.Name, err
}

// remove is generic: it stands for what it is called for.
func remove[T any, P client.Object[T]](ctx context.Context, c *client.Client, namespace string) error {
	return client.IgnoreNotFound(client.Delete[T, P](ctx, c, namespace, "a"))
}

// Open takes the client, too.
//
// +kopf:on=startup
func Open(ctx context.Context, c *client.Client) (*children.Client, error) {
	_, err := client.Apply(ctx, c, &corev1.ConfigMap{})
	return nil, err
}

// Close needs a right that cannot be seen.
//
// +kopf:on=cleanup
func Close() {}
