// Package main has kinds with little status.
//
// +groupName=statusless.kopf.dev
// +versionName=v1
package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

// Bare has no status.
type Bare struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Mixed has a status without a sub-resource.
type Mixed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Status MixedStatus `json:"status,omitempty"`
}

// MixedStatus is what is.
type MixedStatus struct {
	Ready bool `json:"ready"`
}

// One returns a result.
//
// +kopf:on=create
func One(bare Bare) []string { return []string{"one"} }

// Two has sub-handlers.
//
// +kopf:on=create
func Two(ctx context.Context, mixed Mixed) error {
	return kopf.Execute(ctx, kopf.Sub{ID: "part", Run: func(context.Context) (any, error) { return nil, nil }})
}
