// Package main is a failing input.
//
// +kopf:operator=ids,ids=snake_case
//
// +groupName=ids.example.com
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

// +kopf:on=create
func HTTPProxy(spec GreeterSpec) {}

// +kopf:on=update,id=http_proxy
func Other(spec GreeterSpec) {}

// +kopf:on=create
// +kopf:on=update
func Same(spec GreeterSpec) {}

// +kopf:on=create
func Größe(spec GreeterSpec) {}

// +kopf:on=create,id="ends-"
func Ends(spec GreeterSpec) {}

// +kopf:on=create,id=last-handled-configuration
func Reserved(spec GreeterSpec) {}

// +kopf:on=field,field=spec.words["with blank"]
func Blank(old, new *string) {}

type Clinic struct{}

// +kopf:on=startup
func Open() *Clinic { return nil }

// +kopf:on=create
func (*Clinic) Same(spec GreeterSpec) {}

// +kopf:on=startup,id=open
func Again() {}
