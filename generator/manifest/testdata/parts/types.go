// Package parts has a kind of several packages, and old generated files.
//
// +groupName=parts.kopf.dev
// +versionName=v1
package parts

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/generator/manifest/testdata/parts/sub"
)

// Whole is made of parts.
type Whole struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WholeSpec `json:"spec"`
}

// WholeSpec is what is wanted.
type WholeSpec struct {
	Parts []sub.Part `json:"parts,omitempty"`
	Own   sub.Own    `json:"own,omitempty"`
	Open  *Open      `json:"open,omitempty"`
}

// Open may contain itself.
type Open struct {
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Inner *Open `json:"inner,omitempty"`
}
