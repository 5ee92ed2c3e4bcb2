package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// pollInterval is the pause between two questions whether the server is ready.
const pollInterval = 50 * time.Millisecond

// waitReady returns when the API server says that it is ready and the namespace "default" exists, which is created a moment
// later. It gives up when ctx ends, or when the server does, which closes done.
func waitReady(ctx context.Context, cfg *rest.Config, done <-chan struct{}) error {
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return fmt.Errorf("create a client: %w", err)
	}
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for !ready(ctx, client) {
		select {
		case <-ticker.C:
		case <-done:
			return errors.New("kube-apiserver ended before it was ready")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func ready(ctx context.Context, client kubernetes.Interface) bool {
	if client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() != nil {
		return false
	}
	_, err := client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{})
	return err == nil
}
