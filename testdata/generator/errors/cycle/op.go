// Package cycle is an operator whose handlers import it.
//
// +groupName=x.kopf.dev
// +versionName=v1
// +kopf:operator=cycle,packages="./handlers"
package cycle

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Lamp is a lamp.
type Lamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Dim dims.
//
// +kopf:on=update
func Dim(l Lamp) {}
