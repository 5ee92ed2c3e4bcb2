package main

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// object is the object that the demo is about.
type object struct {
	client dynamic.ResourceInterface
	name   string
	// version is that of the state that the demo has seen last.
	version string
}

// apply creates the object of a manifest.
func (d *demo) apply(ctx context.Context, manifest []byte) (*object, error) {
	applied, err := d.cluster.applier.Manifest(ctx, d.cluster.namespace, manifest)
	if err != nil {
		return nil, err
	}
	if len(applied) != 1 {
		return nil, fmt.Errorf("the manifest has %d objects instead of one", len(applied))
	}
	o := &object{
		client: d.cluster.client.Resource(greeters).Namespace(d.cluster.namespace),
		name:   applied[0].GetName(), version: applied[0].GetResourceVersion(),
	}
	d.later(o.discard)
	return o, nil
}

func (o *object) patch(ctx context.Context, patch string) error {
	patched, err := o.client.Patch(ctx, o.name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("patching %s: %w", o.name, err)
	}
	o.version = patched.GetResourceVersion()
	return nil
}

func (o *object) delete(ctx context.Context) error {
	if err := o.client.Delete(ctx, o.name, metav1.DeleteOptions{}); err != nil {
		return fmt.Errorf("deleting %s: %w", o.name, err)
	}
	return nil
}

// until waits for a state of the object.
func (o *object) until(ctx context.Context, what string, ok func(view) bool) (view, error) {
	var last view
	err := o.follow(ctx, what, func(e watch.EventType, state view) bool {
		last = state
		return e != watch.Deleted && ok(state)
	})
	return last, err
}

func (o *object) untilGone(ctx context.Context) error {
	return o.follow(ctx, "is gone", func(e watch.EventType, _ view) bool { return e == watch.Deleted })
}

// follow looks at the states of the object that come after the one seen last, until one is what is waited for.
func (o *object) follow(ctx context.Context, what string, ok func(watch.EventType, view) bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("waited too long until %s %s", o.name, what))
	defer cancel()
	events, err := o.client.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + o.name, ResourceVersion: o.version})
	if err != nil {
		return fmt.Errorf("watching %s: %w", o.name, err)
	}
	defer events.Stop()
	for event := range events.ResultChan() {
		state, is := event.Object.(*unstructured.Unstructured)
		if !is {
			return fmt.Errorf("watching %s: %v", o.name, event.Object)
		}
		o.version = state.GetResourceVersion()
		if ok(event.Type, view{state}) {
			return nil
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.New("the watch has ended")
}

// discard removes an object that the demo has not come to delete; it must not wait for an operator that is gone.
func (o *object) discard(ctx context.Context) error {
	_, err := o.client.Patch(ctx, o.name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	if err == nil {
		err = o.client.Delete(ctx, o.name, metav1.DeleteOptions{})
	}
	return gone(err)
}
