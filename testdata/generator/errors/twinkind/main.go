// Package main is a failing input.
//
// +kopf:operator=twinkind,packages="./other"
//
// +groupName=twinkind.example.com
// +versionName=v1
package main

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kopf:on=create
func greet(g *Greeter) {}

// +kopf:on=create,id=pointer
func byPointer(o *ByPointer) {}

type ByPointer struct {
	metav1.TypeMeta    `json:",inline"`
	*metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kopf:on=create
func generic(o Generic[int]) {}

type Generic[T any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              T `json:"spec"`
}

type Common struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kopf:on=create
func nested(o *Nested) {}

type Nested struct {
	Common `json:",inline"`
}
