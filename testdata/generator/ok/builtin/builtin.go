// Package main handles kinds that are Kubernetes' own.
package main

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

//go:generate go tool kopfgen

// Note notes config maps.
//
// +kopf:on=create,labels="app=demo"
func Note(config corev1.ConfigMap) {}

// Scale edits deployments.
//
// +kopf:on=field,field=spec.replicas
func Scale(old, new *int32, deployment *appsv1.Deployment) error { return nil }

// Any takes what has no Go type.
//
// +kopf:on=create,group=example.com,version=v1,kind=Widget
func Any(widget *unstructured.Unstructured) {}
