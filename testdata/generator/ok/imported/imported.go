// Package imported handles kinds that others declare.
//
// +kopf:operator=imported
package imported

//go:generate go tool kopfgen

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

// +kopf:on=create,labels="app=web,tier"
func Pod(ctx context.Context, pod *v1.Pod) error { return nil }

// +kopf:on=update,labels="tier,app in (web)"
func PodSpec(ctx context.Context, spec v1.PodSpec, status v1.PodStatus) error { return nil }

// +kopf:on=update,field=spec.replicas,name=web
func Replicas(old, new *int32, spec *appsv1.DeploymentSpec) error { return nil }

// +kopf:on=delete,name=web
func Deployment(d appsv1.Deployment) error { return nil }

// +kopf:on=create
func Node(node v1.Node) {}

// +kopf:on=create,kind=Ingress
func Ingress(name string) {}

var _ networkingv1.Ingress

// +kopf:on=field,field=data,kind=ConfigMap
func Config(old, new map[string]string) {}
