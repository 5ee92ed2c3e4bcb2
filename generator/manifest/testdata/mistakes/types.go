// Package mistakes has what cannot be described.
//
// +groupName=demo.kopf.dev
package mistakes

import (
	"context"
	"net/url"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Tree contains itself.
type Tree struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Node `json:"spec"`
}

// Node is a node.
type Node struct {
	Name     string `json:"name"`
	Children []Node `json:"children,omitempty"`
}

// Odd has odd fields.
//
// +kubebuilder:subresouce:status
// +kubebuilder:rbac:groups=apps
type Odd struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   OddSpec   `json:"spec"`
	Status OddStatus `json:"status,omitempty"`
}

// OddSpec is odd.
type OddSpec struct {
	Untagged string
	Link     url.URL         `json:"link"`
	Any      any             `json:"any,omitempty"`
	Ctx      context.Context `json:"-"`
	// +kubebuilder:validation:Maxlength=3
	Hidden hidden `json:"hidden"`
}

type hidden struct {
	List []string `json:"list"`
}

// OddStatus is odd.
type OddStatus struct {
	Greet string `json:"greet,omitempty"`
}
