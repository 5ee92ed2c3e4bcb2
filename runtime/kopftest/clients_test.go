package kopftest_test

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/kopfgen/kopfgen/runtime/kopftest"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// Handlers may have clients of their own, whose requests are the operator's.
func TestClientsOfHandlers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		configMaps := schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
		makes := handler("make", operator.OnCreate, func(ctx context.Context, c *operator.Call[Thing]) (any, error) {
			client, err := dynamic.NewForConfig(c.Config())
			if err != nil {
				return nil, err
			}
			made := &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": c.Name()}, "data": map[string]any{"a": "b"},
			}}
			_, err = client.Resource(configMaps).Namespace(c.Namespace()).Create(ctx, made, metav1.CreateOptions{})
			return nil, err
		})
		stage := options.New(t, things(makes))
		stage.Create(thing("a", 1))
		stage.Object("ConfigMap", "a").Expect(`data: {a: b}`)
		if got := stage.Requests(kopftest.Create); len(got) != 1 || got[0].String() != "create configmaps default" {
			t.Errorf("got %v", got)
		}
	})
}
