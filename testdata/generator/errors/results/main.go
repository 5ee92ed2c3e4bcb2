// Package main is a failing input.
//
// +groupName=results.example.com
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

type failure struct{}

func (*failure) Error() string { return "" }

// +kopf:on=create
func Two() (int, string, error) { return 0, "", nil }

// +kopf:on=create
func ErrorFirst() (error, int) { return nil, 0 }

// +kopf:on=create
func OwnError() *failure { return nil }

// +kopf:on=create
func Channel() chan int { return nil }

// +kopf:on=create
func Function() (func(), error) { return nil, nil }

// +kopf:on=create
func Status() (*GreeterStatus, error) { return nil, nil }

// +kopf:on=cleanup
func End() (int, error) { return 0, nil }

// +kopf:on=create,when=maybe,enabled=perhaps
func Filtered() {}

func maybe() (bool, error) { return false, nil }

func perhaps() {}

// +kopf:on=create,result=there
func Nothing() error { return nil }
