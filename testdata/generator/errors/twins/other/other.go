// Package other is taken by main.
//
// +groupName=twins.example.com
// +versionName=v2
package other

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type string struct{}

type Größe struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kubebuilder:resource:scope=Cluster
type Planet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kubebuilder:resource:path=Moons_X,scope=cluster
type Moon struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kopf:on=create,id=moon
func Land(m Moon) {}

// +kopf:on=create
func Measure(g *Größe) {}

// +kopf:on=create,namespace=sky
func Discover(p *Planet) {}
