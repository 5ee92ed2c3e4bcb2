// Package v1beta1 is an older version.
//
// +groupName=versions.kopf.dev
package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing is a thing.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
