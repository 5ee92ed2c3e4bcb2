// Package markers has a marker that cannot be read.
//
// +groupName=markers.kopf.dev
package markers

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Odd has odd fields.
type Odd struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:Minimum=abc
	Count int `json:"count"`
}
