package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/controlplane/apply"
)

var (
	namespaces  = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	greeters    = schema.GroupVersionResource{Group: "demo.kopf.dev", Version: "v1", Resource: "greeters"}
)

// cluster is where the demo takes place.
type cluster struct {
	kubeconfig string
	namespace  string
	client     dynamic.Interface
	applier    *apply.Applier
}

// checkEnvironment refuses what the demo does not understand, before it takes anybody's time.
func checkEnvironment() error {
	switch which := os.Getenv("DEMO_CLUSTER"); {
	case which != "" && which != "current":
		return fmt.Errorf("DEMO_CLUSTER is %q; it can be \"current\", for the cluster of $KUBECONFIG, or nothing, for a private one", which)
	case which == "current" && os.Getenv("KUBECONFIG") == "":
		return errors.New("DEMO_CLUSTER=current needs KUBECONFIG to say which cluster that is")
	}
	return nil
}

// privateCluster starts a control plane that ends with the demo.
func (d *demo) privateCluster(ctx context.Context) (*cluster, error) {
	d.note("It is etcd and kube-apiserver in one process, built from source: some minutes the first time, seconds ever after.")
	began := time.Now()
	cp, err := controlplane.Run(ctx, d.out)
	if err != nil {
		return nil, err
	}
	d.later(func(context.Context) error { return cp.Stop() })
	d.note(fmt.Sprintf("Ready at %s after %.1f s.", cp.Config().Host, time.Since(began).Seconds()))
	return connect(cp.Config(), cp.Kubeconfig(), metav1.NamespaceDefault)
}

// currentCluster makes a namespace in the cluster that KUBECONFIG names.
func (d *demo) currentCluster(ctx context.Context) (*cluster, error) {
	kubeconfig := os.Getenv("KUBECONFIG")
	cfg, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), &clientcmd.ConfigOverrides{}).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("reading KUBECONFIG=%s: %w", kubeconfig, err)
	}
	c, err := connect(cfg, kubeconfig, "kopfgen-demo-"+strings.ToLower(rand.Text()[:6]))
	if err != nil {
		return nil, err
	}
	namespace := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": c.namespace},
	}}
	if _, err := c.client.Resource(namespaces).Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return nil, fmt.Errorf("creating a namespace for the demo: %w", err)
	}
	d.later(func(ctx context.Context) error {
		return gone(c.client.Resource(namespaces).Delete(ctx, c.namespace, metav1.DeleteOptions{}))
	})
	d.note(fmt.Sprintf("It is the one at %s; the demo works in the namespace %s and deletes it at the end.", cfg.Host, c.namespace))
	return c, nil
}

func connect(cfg *rest.Config, kubeconfig, namespace string) (*cluster, error) {
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	applier, err := apply.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return &cluster{kubeconfig: kubeconfig, namespace: namespace, client: client, applier: applier}, nil
}

// define applies the definition of Greeter. One that is there already is somebody's, and stays as it is.
func (d *demo) define(ctx context.Context) error {
	name := greeters.GroupResource().String()
	_, err := d.cluster.client.Resource(definitions).Get(ctx, name, metav1.GetOptions{})
	if err == nil {
		d.note("The cluster has a definition of greeters; the demo uses that.")
		return nil
	}
	if !apierrors.IsNotFound(err) {
		return fmt.Errorf("looking for the definition of greeters: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(d.example, "config", "crd", "*.yaml"))
	if err != nil {
		return err
	}
	d.later(func(ctx context.Context) error {
		return gone(d.cluster.client.Resource(definitions).Delete(ctx, name, metav1.DeleteOptions{}))
	})
	_, err = d.cluster.applier.Files(ctx, d.cluster.namespace, files...)
	return err
}

// gone accepts that what was to be deleted does not exist.
func gone(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
