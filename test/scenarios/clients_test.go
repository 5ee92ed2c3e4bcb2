package scenarios

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kopfgen/kopfgen/internal/controlplane"
)

// cluster returns a client for what is not the story's own.
func (s *story) cluster() dynamic.Interface {
	s.Helper()
	client, err := dynamic.NewForConfig(controlplane.Shared(s.TB).Config())
	if err != nil {
		s.Fatal(err)
	}
	return client
}

// client returns a client for a resource in the story's namespace.
func (s *story) client(apiVersion, plural string) dynamic.ResourceInterface {
	s.Helper()
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		s.Fatal(err)
	}
	return s.cluster().Resource(version.WithResource(plural)).Namespace(s.Namespace())
}

// writeStatus changes the status of an object from another goroutine.
func (s *story) writeStatus(client dynamic.ResourceInterface, name, patch string) {
	_, err := client.Patch(context.WithoutCancel(s.Context()), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	if err != nil {
		s.Errorf("writing the status of %s: %v", name, err)
	}
}
