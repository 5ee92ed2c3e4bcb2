// Package main is the operator that is measured, as kopfgen makes it.
//
// +groupName=bench.kopf.dev
// +versionName=v1
package main

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

//go:generate go tool kopfgen

// Sample is something with some data in it.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Sample struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SampleSpec   `json:"spec"`
	Status SampleStatus `json:"status,omitempty"`
}

// SampleSpec is what the handler reads.
type SampleSpec struct {
	// Items are some text each.
	Items []Item `json:"items"`
}

// Item is one of several.
type Item struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// SampleStatus is filled by Make.
type SampleStatus struct{}

// Made is the result of Make.
type Made struct {
	Text string `json:"text"`
}

// Make counts the items.
//
// +kopf:on=create
func Make(spec SampleSpec) (Made, error) {
	return Made{Text: strconv.Itoa(len(spec.Items)) + " items"}, nil
}
