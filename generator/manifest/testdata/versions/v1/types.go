// Package v1 is the version that is stored.
//
// +groupName=versions.kopf.dev
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing is a thing.
//
// +kubebuilder:storageversion
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
