// Package main is a failing input.
//
// +kopf:operator=packages,packages="./handlers";"./nowhere/...";"../../../../../../x";"example.com/y";"./program";"./other";"/tmp"
//
// +groupName=packages.example.com
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

// +kopf:on=create
func greet(g *Greeter) {}
