package apply

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	crdKind     = schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}
	crdResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
)

// crdTimeout bounds the wait for a definition to be established, which takes well below a second.
const crdTimeout = 30 * time.Second

// waitForCRD returns when the definition is established and each version that it serves answers: the server says the one a
// moment before it does the other.
func (a *Applier) waitForCRD(ctx context.Context, crd *unstructured.Unstructured) error {
	name := crd.GetName()
	ctx, cancel := context.WithTimeoutCause(ctx, crdTimeout, errors.New("took too long"))
	defer cancel()
	for {
		usable, err := a.usable(ctx, name)
		if err != nil {
			return fmt.Errorf("wait for CustomResourceDefinition %q: %w", name, err)
		}
		if usable {
			return nil
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			return fmt.Errorf("wait for CustomResourceDefinition %q: %w", name, context.Cause(ctx))
		}
	}
}

func (a *Applier) usable(ctx context.Context, name string) (bool, error) {
	crd, err := a.client.Resource(crdResource).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return false, err
	}
	if is, err := established(crd); !is || err != nil {
		return false, err
	}
	for _, resource := range served(crd) {
		_, err := a.client.Resource(resource).List(ctx, metav1.ListOptions{Limit: 1})
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// established reports whether a definition is established. Names that are not accepted are an error: they will not be while
// another definition has them.
func established(crd *unstructured.Unstructured) (bool, error) {
	status, _ := crd.Object["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any) // null at first
	is := false
	for _, item := range conditions {
		condition, _ := item.(map[string]any)
		switch {
		case condition["type"] == "NamesAccepted" && condition["status"] == "False":
			return false, fmt.Errorf("its names are not accepted: %v", condition["message"])
		case condition["type"] == "Established":
			is = condition["status"] == "True"
		}
	}
	return is, nil
}

// served lists the resources that a definition serves, one for each version.
func served(crd *unstructured.Unstructured) []schema.GroupVersionResource {
	group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
	plural, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "plural")
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	var resources []schema.GroupVersionResource
	for _, item := range versions {
		version, _ := item.(map[string]any)
		if name, ok := version["name"].(string); ok && version["served"] == true {
			resources = append(resources, schema.GroupVersionResource{Group: group, Version: name, Resource: plural})
		}
	}
	return resources
}
