// Package main is a failing input.
//
// +kopf:operator=twins,packages="./other"
//
// +groupName=twins.example.com
// +groupName=rivals.example.com
// +versionName=v1
package main

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kopf:on=create
func greet(g *Greeter) {}
