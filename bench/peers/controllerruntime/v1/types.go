// Package v1 has the types of the operator, the same as those of peers/kopfgen.
//
// +kubebuilder:object:generate=true
// +groupName=bench.kopf.dev
// +versionName=v1
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

//go:generate go tool controller-gen object paths=.

// GroupVersion is what the types belong to.
var GroupVersion = schema.GroupVersion{Group: "bench.kopf.dev", Version: "v1"}

// AddToScheme makes the types known to a scheme.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Sample{}, &SampleList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

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

// SampleList is a list of samples.
//
// +kubebuilder:object:root=true
type SampleList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Sample `json:"items"`
}

// SampleSpec is what the reconciler reads.
type SampleSpec struct {
	// Items are some text each.
	Items []Item `json:"items"`
}

// Item is one of several.
type Item struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// SampleStatus is what the reconciler writes.
type SampleStatus struct {
	Make *Made `json:"make,omitempty"`
}

// Made is the result.
type Made struct {
	Text string `json:"text"`
}
