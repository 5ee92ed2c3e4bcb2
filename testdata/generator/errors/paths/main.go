// Package main is a failing input.
//
// +groupName=paths.example.com
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

// +kopf:on=field,field=spec.sizes
func Misspelled(old, new kopf.Raw) {}

// +kopf:on=field,field=spec.Tier
func GoName(old, new kopf.Raw) {}

// +kopf:on=field,field=spec.pods.name
func InsideOfList(old, new kopf.Raw) {}

// +kopf:on=field,field=spec.extra.name
func InsideOfRaw(old, new kopf.Raw) {}

// +kopf:on=field,field=spec.port.number
func InsideOfPort(old, new kopf.Raw) {}

// +kopf:on=field,field=spec.tier.name
func InsideOfString(old, new kopf.Raw) {}

// +kopf:on=field,field=spec.nested.deep
func InsideOfPointer(old, new kopf.Raw) {}

// +kopf:on=field,field=spec.words.greeting.loud
func InsideOfWord(old, new kopf.Raw) {}

// +kopf:on=field,field=specs
func AtTheRoot(old, new kopf.Raw) {}

// +kopf:on=field,field=metadata.annotation
func InMetadata(old, new kopf.Raw) {}

// +kopf:on=field,field=metadata.annotations["demo.kopf.dev/owner"].name
func InsideOfKey(old, new kopf.Raw) {}

// +kopf:on=field,field=spec.extra
func Whole(old, new kopf.Raw) {}

// +kopf:on=field,field=spec.colour
func Inlined(old, new *Colour) {}
