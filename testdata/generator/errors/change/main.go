// Package main is a failing input.
//
// +groupName=change.example.com
// +versionName=v1
package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	kopf "github.com/kopfgen/kopfgen/runtime"
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
	// +kubebuilder:default=3
	Copies int32 `json:"copies,omitempty"`
	// +optional
	Marked int32 `json:"marked"`
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

// +kopf:on=update
func Whole(old, new *Greeter) {}

// +kopf:on=update
func Values(old Greeter, new GreeterSpec) {}

// +kopf:on=update
func Status(old, new GreeterStatus) {}

// +kopf:on=create
func Creation(old, new GreeterSpec) {}

// +kopf:on=create
func CreationFine(old *GreeterSpec, new GreeterSpec) {}

// +kopf:on=create;update
func Mixed(old Greeter) {}

// +kopf:on=update,field=spec.size
func Size(old, new int32) {}

// +kopf:on=update,field=spec.size
func WrongSize(old, new int) {}

// +kopf:on=field,field=spec.size
func FieldSize(old, new int32) {}

// +kopf:on=update,field=spec.tier
func Optional(old, new string) {}

// +kopf:on=update,field=spec.limit
func Limit(old *int64, new int64) {}

// +kopf:on=update,field=spec.limit
func LimitFine(old **int64, new *int64) {}

// +kopf:on=update,field=spec.pods
func Pods(old, new []Pod) {}

// +kopf:on=update,field=spec.words.hello
func Word(old string, new string) {}

// +kopf:on=update,field=spec.nested.depth
func Deep(old, new int8) {}

// +kopf:on=update,field=spec.extra
func Extra(old runtime.RawExtension, new kopf.Raw) {}

// +kopf:on=delete
func Twice(old *Greeter, old2 *Greeter) {}

// +kopf:on=update,field=spec.copies
func HasDefault(old, new int32) {}

// +kopf:on=update,field=spec.marked
func Marked(old, new int32) {}
