// Package main is an operator with ten handlers of creations.
//
// +groupName=bench.kopf.dev
// +versionName=v1
package main

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

//go:generate go tool kopfgen

// Ten is an object that ten handlers handle.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=tens
type Ten struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TenSpec   `json:"spec"`
	Status TenStatus `json:"status,omitempty"`
}

// TenSpec is what the handlers read.
type TenSpec struct {
	// Items are some text each.
	Items []Item `json:"items"`
}

// Item is one of several.
type Item struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// TenStatus is filled by the handlers.
type TenStatus struct{}

// Made is the result of each handler.
type Made struct {
	Text string `json:"text"`
}

// Make1 is handler 1.
//
// +kopf:on=create
func Make1(spec TenSpec) (Made, error) { return made(spec) }

// Make2 is handler 2.
//
// +kopf:on=create
func Make2(spec TenSpec) (Made, error) { return made(spec) }

// Make3 is handler 3.
//
// +kopf:on=create
func Make3(spec TenSpec) (Made, error) { return made(spec) }

// Make4 is handler 4.
//
// +kopf:on=create
func Make4(spec TenSpec) (Made, error) { return made(spec) }

// Make5 is handler 5.
//
// +kopf:on=create
func Make5(spec TenSpec) (Made, error) { return made(spec) }

// Make6 is handler 6.
//
// +kopf:on=create
func Make6(spec TenSpec) (Made, error) { return made(spec) }

// Make7 is handler 7.
//
// +kopf:on=create
func Make7(spec TenSpec) (Made, error) { return made(spec) }

// Make8 is handler 8.
//
// +kopf:on=create
func Make8(spec TenSpec) (Made, error) { return made(spec) }

// Make9 is handler 9.
//
// +kopf:on=create
func Make9(spec TenSpec) (Made, error) { return made(spec) }

// Make10 is handler 10.
//
// +kopf:on=create
func Make10(spec TenSpec) (Made, error) { return made(spec) }

func made(spec TenSpec) (Made, error) {
	return Made{Text: strconv.Itoa(len(spec.Items)) + " items"}, nil
}
