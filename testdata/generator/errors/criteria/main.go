// Package main is a failing input.
//
// +groupName=criteria.example.com
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

// +kopf:on=update,field=spec.size,old=1,new=2
func Numbers() {}

// +kopf:on=update,field=spec.size,old="1",new=1.5
func NoNumbers() {}

// +kopf:on=update,field=spec.nested.depth,old=127,new=128
func TooLarge() {}

// +kopf:on=update,field=spec.tier,old="a",new=1
func Strings() {}

// +kopf:on=update,field=spec.ready,old=true,new="true"
func Booleans() {}

// +kopf:on=update,field=spec.colour,old="red",new=isRed
func Named() {}

func isRed(c Colour, present bool) bool { return false }

// +kopf:on=update,field=spec.colour,value=isSize
func Mismatched() {}

func isSize(size int32, present bool) bool { return false }

// +kopf:on=update,field=spec.size,value=alone
func OneParameter() {}

func alone(size int32) bool { return false }

// +kopf:on=update,field=spec.limit,old=isLimit,new=isLimitPointer
func Pointers() {}

func isLimit(limit int64, present bool) bool { return false }

func isLimitPointer(limit *int64, present bool) bool { return false }

// +kopf:on=update,field=spec.pods,value="a"
func Lists() {}

// +kopf:on=update,field=spec.nested,value=*
func Present() {}

// +kopf:on=update,field=spec.port,old=80,new="http"
func Port() {}

// +kopf:on=update,field=spec.extra,value=isRaw
func Raw() {}

func isRaw(r kopf.Raw, present bool) bool { return false }

const ready = "Ready"

// +kopf:on=update,field=spec.tier,new=ready
func Constant() {}
