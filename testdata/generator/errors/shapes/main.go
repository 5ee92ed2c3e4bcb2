// Package main is a failing input.
//
// +groupName=shapes.example.com
// +versionName=v1
package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec   `json:"spec"`
	Status            GreeterStatus `json:"status,omitempty"`
}

type GreeterSpec struct {
	Size    int32                `json:"size"`
	Tier    string               `json:"tier,omitempty"`
	Limit   *int64               `json:"limit,omitempty"`
	Ready   bool                 `json:"ready"`
	Pods    []Pod                `json:"pods,omitempty"`
	Extra   runtime.RawExtension `json:"extra,omitempty"`
	Port    intstr.IntOrString   `json:"port,omitempty"`
	Nested  *Nested              `json:"nested,omitempty"`
	Words   map[string]string    `json:"words,omitempty"`
	Defined `json:",inline"`
}

type Pod struct {
	Name string `json:"name"`
}

type Nested struct {
	Depth int8 `json:"depth"`
}

type Defined struct {
	Colour Colour `json:"colour"`
}

type Colour string

type GreeterStatus struct {
	Phase string `json:"phase,omitempty"`
}

type box[T any] struct{}

// +kopf:on=create
func Generic[T any](spec GreeterSpec) {}

// +kopf:on=create
func (b *box[T]) Method(spec GreeterSpec) {}

// +kopf:on=create
func Variadic(names ...string) {}

// +kopf:on=create
func _(spec GreeterSpec) {}

// +kopf:on=create
func init() {}

// +kopf:on=create
func main() {}

// +kopf:on=create,when=generic
func Filtered() {}

func generic[T any]() bool { return false }
