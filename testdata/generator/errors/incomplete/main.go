// Package main is a failing input.
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

type badTags struct {
	metav1.TypeMeta   `json:"type"`
	metav1.ObjectMeta `json:",inline"`
	Spec              GreeterSpec `json:"spec"`
}

// +kopf:on=create
func Greet(g *Greeter) {}

// +kopf:on=create
func Tagged(g *badTags) {}
