// Package main is a failing input whose markers are wrong, each in one way: nothing else may be said about it.
//
// +groupName=lost.example.com
// +versionName=v1
package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec `json:"spec"`
}

type GreeterSpec struct {
	Size int32 `json:"size"`
}

// +kopf:on=craete
func OnlyMarker(spec GreeterSpec) {}
