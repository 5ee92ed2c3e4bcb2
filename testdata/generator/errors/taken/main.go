// Package main is a failing input.
//
// +groupName=taken.example.com
// +versionName=v1
package main

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec `json:"spec"`
}

type GreeterSpec struct {
	Size int32 `json:"size"`
}

// Operator is a name that generated code needs.
type Operator struct{}

// +kopf:on=create
func Greet(g *Greeter) {}

func main() {}
