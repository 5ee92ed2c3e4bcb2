// Package main keeps a greeting on every Greeter.
//
// +groupName=minimal.example.com
// +versionName=v1
package main

import (
	"context"
	"log/slog"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Greeter greets somebody.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=greetings,scope=Cluster
type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec   `json:"spec"`
	Status            GreeterStatus `json:"status,omitempty"`
}

// GreeterSpec is what somebody wants.
type GreeterSpec struct {
	Size int32 `json:"size"`
}

// GreeterStatus is what is.
type GreeterStatus struct {
	Greet *Greeting `json:"greet,omitempty"`
}

// Greeting is a result.
type Greeting struct {
	Text string `json:"text"`
}

// Greet runs once for every new Greeter.
//
// +kopf:on=create,retries=5,backoff=10s
func Greet(ctx context.Context, spec GreeterSpec, name string, log *slog.Logger) (*Greeting, error) {
	return &Greeting{Text: "hello, " + name}, nil
}

// Resize runs when spec.size changes.
//
// +kopf:on=update,field=spec.size,labels="tier in (web,api)"
func Resize(ctx context.Context, old, new int32, g *Greeter) error {
	return nil
}
