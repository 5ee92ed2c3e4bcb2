// Package access uses clients in ways that cannot be followed.
//
// +groupName=cases.kopf.dev
// +versionName=v1
// +kopf:operator=access
//
// +kubebuilder:rbac:groups=apps,resources=deployments
// +kubebuilder:rbac:groups=apps,verbs=get
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,namespace=here
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get,colour=red
package access

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kopfgen/kopfgen/runtime/children"
	"github.com/kopfgen/kopfgen/runtime/client"
	"github.com/kopfgen/kopfgen/testdata/generator/errors/access/other"
)

// Site is a site.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Guess has no group.
type Guess struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Serve uses them.
//
// +kopf:on=create
func Serve(ctx context.Context, name string, site *Site, c *client.Client, family *children.Client) error {
	if err := never[Site](ctx, c); err != nil {
		return err
	}
	if _, err := client.Get[Guess](ctx, c, "", name); err != nil {
		return err
	}
	if err := other.Touch(ctx, c); err != nil {
		return err
	}
	_, err := children.Delete(ctx, family, nil, &unstructured.Unstructured{})
	return err
}

// Connect makes a client.
//
// +kopf:on=startup
func Connect() *children.Client { return nil }

// never is called for Site alone, which is known.
func never[T any, P client.Object[T]](ctx context.Context, c *client.Client) error {
	_, err := client.Get[T, P](ctx, c, "default", "a")
	return err
}

// unused is not called, so nobody knows for what.
func unused[T any, P client.Object[T]](ctx context.Context, c *client.Client) error {
	_, err := client.Get[T, P](ctx, c, "default", "a")
	return err
}

// Look is a filter that wants a client.
//
// +kopf:on=update,when=rich
func Look(site *Site) {}

func rich(c *client.Client) bool { return c != nil }
