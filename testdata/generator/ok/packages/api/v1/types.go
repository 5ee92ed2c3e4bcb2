// Package v1 has the kinds.
//
// +groupName=packages.kopf.dev
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Lamp is a lamp.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
type Lamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec LampSpec `json:"spec,omitempty"`
}

// LampSpec is what is wanted.
type LampSpec struct {
	Watts int `json:"watts,omitempty"`
}

// LampList is a list of lamps.
//
// +kubebuilder:object:root=true
type LampList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Lamp `json:"items"`
}

// Spare is a kind that nobody handles.
//
// +kubebuilder:object:root=true
type Spare struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
