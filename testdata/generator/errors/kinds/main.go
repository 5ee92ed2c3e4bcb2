// Package main is a failing input.
//
// +kopf:operator=kinds,packages="./plain"
//
// +groupName=kinds.example.com
// +versionName=v1
package main

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	v1 "github.com/kopfgen/kopfgen/testdata/generator/errors/kinds/api/v1"
	"github.com/kopfgen/kopfgen/testdata/generator/errors/kinds/nogroup"
)

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec `json:"spec"`
}

type GreeterSpec struct {
	Size int32 `json:"size"`
}

// Twin has the spec of a Greeter.
type Twin struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec `json:"spec"`
}

// +kopf:on=create
func Nothing(name string) {}

// +kopf:on=create
func Ambiguous(spec GreeterSpec) {}

// +kopf:on=create,kind=Twin
func Told(spec GreeterSpec) {}

// +kopf:on=create
func Both(g *Greeter, pod corev1.PodSpec) {}

// +kopf:on=create,kind=Greeter
func Contradiction(spec appsv1.DeploymentSpec) {}

// +kopf:on=create,kind=Greter
func Misspelled(name string) {}

// +kopf:on=create,kind=Deployment
func Imported(name string) {}

// +kopf:on=create,kind=Deployment,group=extensions
func OtherGroup(name string) {}

// +kopf:on=create,group=other.example.com
func WrongGroup(g *Greeter) {}

// +kopf:on=create,version=v2
func WrongVersion(g *Greeter) {}

// +kopf:on=create
func Pod(pod *corev1.Pod) {}

// +kopf:on=create
func Eviction(e *policyv1.Eviction) {}

// +kopf:on=create
func Untyped(u *unstructured.Unstructured) {}

// +kopf:on=create,kind=CronTab,group=stable.example.com,version=v1
func UntypedFine(u *unstructured.Unstructured) {}

// +kopf:on=create,kind=CronTab
func UntypedHalf(u *unstructured.Unstructured) {}

// +kopf:on=create,kind=CronTab,group=stable.example.com,version=v1,field=spec.size
func UntypedField(old, new *int32) {}

// +kopf:on=create
func NoGroup(t *nogroup.Thing) {}

// +kopf:on=create
func GroupGiven(t *nogroup.Thing, w v1.WidgetSpec) {}

// +kopf:on=create
func Widget(w v1.WidgetSpec) {}

// +kopf:on=create,group=things.example.com,version=v1
func ThingFine(t *nogroup.Thing) {}

var _ schema.GroupKind
