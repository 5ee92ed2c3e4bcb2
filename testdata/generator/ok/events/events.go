// Package main has handlers of events.
//
// +groupName=events.kopf.dev
// +versionName=v1
// +kopf:operator=events,backoff=later
package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

var later = time.Second

// Seen counts what was seen of a pod.
type Seen struct{ Times int }

// Watch is called for every event, once.
//
// +kopf:on=event,field=status.phase,value="Running",when=modified
func Watch(ctx context.Context, event kopf.EventType, pod corev1.Pod, seen *kopf.Memo[Seen]) {
	seen.Value.Times++
}

func modified(event kopf.EventType, labels map[string]string, seen *kopf.Memo[Seen]) bool {
	return event == kopf.EventModified && seen.Value.Times < 3
}

// Mark is called until it succeeds, and changes its object.
//
// +kopf:on=event,retries=5,result=none,param="x"
func Mark(meta *metav1.ObjectMeta, spec corev1.PodSpec, event kopf.EventType, param string, retry int) (map[string]int, error) {
	return nil, nil
}

// Note has a result.
//
// +kopf:on=event,backoff=1s..1m,namespace=team-*,result=message
// +kopf:on=event,id=none,retries=none,result=reason
func Note(pod *corev1.Pod) string { return "noted" }

// Untyped handles objects that have no type in Go.
//
// +kopf:on=event,kind=Rock,group=events.kopf.dev,version=v1
func Untyped(u *unstructured.Unstructured, event kopf.EventType, patch *kopf.Patch) {}
