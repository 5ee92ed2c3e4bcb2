// Package other belongs to the module and not to the operator.
package other

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/kopfgen/kopfgen/runtime/client"
)

// Touch uses a client.
func Touch(ctx context.Context, c *client.Client) error {
	_, err := client.Get[corev1.Pod](ctx, c, "default", "a")
	return err
}
