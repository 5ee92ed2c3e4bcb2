// Package values has values of other types than their fields.
//
// +groupName=values.kopf.dev
package values

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Odd has odd values.
type Odd struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec OddSpec `json:"spec"`
}

// OddSpec is odd.
type OddSpec struct {
	// +kubebuilder:default=many
	Count int `json:"count"`
	// +kubebuilder:default=1.5
	Whole int `json:"whole"`
	// +kubebuilder:validation:Enum=a;b
	Levels []int `json:"levels"`
	// +kubebuilder:default={a:1}
	Words map[string]string `json:"words"`
	// +kubebuilder:default=3
	Text string `json:"text"`

	// +kubebuilder:default=3
	Three int `json:"three"`
	// +kubebuilder:default=3
	// +kubebuilder:validation:Enum=1;2;3
	Float float64 `json:"float"`
	// +kubebuilder:default={a,b}
	// +kubebuilder:validation:items:Enum=a;b;c
	Fine []string `json:"fine"`
	// +kubebuilder:default=80
	Port intstr.IntOrString `json:"port"`
	// +kubebuilder:default={inner:{deep:true}}
	Nested Nested `json:"nested"`
	// +kubebuilder:default=yes
	Colour Colour `json:"colour"`
}

// Nested is nested.
type Nested struct {
	Inner map[string]bool `json:"inner"`
}

// Colour is a word.
//
// +kubebuilder:validation:Enum=yes;no
type Colour string
