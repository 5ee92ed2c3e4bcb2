// Package v1 declares a kind.
//
// +groupName=several.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Widget is a kind without generated methods yet.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec `json:"spec"`
}

// WidgetSpec is its spec.
type WidgetSpec struct {
	Size int `json:"size"`
}

var _ runtime.Object = &Widget{}
