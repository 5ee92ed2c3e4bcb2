// Package other is taken by main.
//
// +groupName=twinkind.example.com
// +versionName=v1
package other

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              int32 `json:"size"`
}

// +kopf:on=update
func Greet(g *Greeter) {}

// +kopf:on=resume
func Again(g *Greeter) {}
