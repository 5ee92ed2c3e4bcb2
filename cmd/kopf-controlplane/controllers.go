package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/namespace"
)

const (
	// discoveryPeriod bounds how long a new resource type is unknown to the garbage collector. kube-controller-manager waits
	// half a minute; tests that create a type and delete its objects at once do not want to.
	discoveryPeriod = 2 * time.Second

	// workers is the number of objects that each controller works on at once.
	workers = 4
)

// startControllers runs the controllers of kube-controller-manager without which the API alone is not itself: those that empty
// deleted namespaces, that collect objects whose owners are gone, and that fill aggregated roles such as "edit". The returned
// function ends them and waits until they have ended.
func startControllers(ctx context.Context, cfg *rest.Config) (stop func(), err error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer func() {
		if err != nil {
			cancel()
		}
	}()
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("create the client of the controllers: %w", err)
	}
	metadataClient, err := metadata.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("create the metadata client of the controllers: %w", err)
	}
	typed := informers.NewSharedInformerFactory(client, 0)
	untyped := metadatainformer.NewSharedInformerFactory(metadataClient, 0)

	namespaces := namespace.NewNamespaceController(ctx, client, metadataClient,
		client.Discovery().ServerPreferredNamespacedResources,
		typed.Core().V1().Namespaces(), 5*time.Minute, corev1.FinalizerKubernetes)

	roles := clusterroleaggregation.NewClusterRoleAggregation(typed.Rbac().V1().ClusterRoles(), client.RbacV1())

	informersStarted := make(chan struct{})
	garbage, err := garbagecollector.NewGarbageCollector(ctx, client, metadataClient,
		restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery())),
		garbagecollector.DefaultIgnoredResources(),
		informerfactory.NewInformerFactory(typed, untyped), informersStarted)
	if err != nil {
		return nil, fmt.Errorf("create the garbage collector: %w", err)
	}

	var running sync.WaitGroup
	running.Go(func() { namespaces.Run(ctx, workers) })
	running.Go(func() { roles.Run(ctx, workers) })
	running.Go(func() { garbage.Run(ctx, workers, 30*time.Second) })
	running.Go(func() { garbage.Sync(ctx, client.Discovery(), discoveryPeriod) })
	typed.Start(ctx.Done())
	untyped.Start(ctx.Done())
	close(informersStarted)

	return func() {
		cancel()
		running.Wait()
		typed.Shutdown()
		untyped.Shutdown()
	}, nil
}
