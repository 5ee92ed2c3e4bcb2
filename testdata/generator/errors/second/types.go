// +kopf:operator=second

// Package second has two operator markers.
//
// +groupName=second.example.com
// +versionName=v1
package second

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec `json:"spec"`
}

type GreeterSpec struct {
	Size int32 `json:"size"`
}

// +kopf:on=create
func Greet(g *Greeter) {}
