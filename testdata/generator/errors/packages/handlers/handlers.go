// Package handlers is taken by an operator.
package handlers

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

type secret struct{}

type args struct {
	Name string `kopf:"name"`
	node string `kopf:"spec.nodeName"`
}

// Args has a field that the operator cannot set.
type Args struct {
	node string `kopf:"spec.nodeName"`
}

// +kopf:on=create
func hidden(pod *corev1.Pod) {}

// +kopf:on=startup
func Open() *secret { return nil }

// +kopf:on=create
func Tagged(pod corev1.Pod, a args) {}

// +kopf:on=create
func TaggedToo(pod corev1.Pod, a Args) {}

const delay = time.Second

var pause = time.Second

// +kopf:on=create,backoff=delay
func Constant(pod corev1.Pod) {}

// +kopf:on=create,backoff=pause,when=maybe
func Variable(pod corev1.Pod) {}

func maybe() bool { return false }
