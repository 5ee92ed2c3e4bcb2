// Package greeter has a kind with results of every shape.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package greeter

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Greeter greets somebody.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=gr
type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GreeterSpec   `json:"spec"`
	Status GreeterStatus `json:"status,omitempty"`
}

// GreeterSpec is what is wanted.
type GreeterSpec struct {
	// Who is greeted.
	Who string `json:"who"`
	// +kubebuilder:default=3
	Times int32 `json:"times,omitempty"`
	// +kubebuilder:default=3
	Perhaps *int32            `json:"perhaps,omitempty"`
	Tags    map[string]string `json:"tags,omitempty"`
	Weight  float64           `json:"weight,omitempty"`
	Ports   []Port            `json:"ports,omitempty"`
	Env     []corev1.EnvVar   `json:"env,omitempty"`
	Raw     json.RawMessage   `json:"raw,omitempty"`
	Hidden  hidden            `json:"hidden"`
	Pause   time.Duration     `json:"pause,omitempty"`
}

type hidden struct {
	List []flat `json:"list,omitempty"`
}

type flat struct {
	Name string `json:"name"`
}

// Port is a port.
type Port struct {
	Number int32    `json:"number"`
	Names  []string `json:"names,omitempty"`
}

// GreeterStatus is what is.
type GreeterStatus struct {
	Phase string       `json:"phase"`
	Last  *metav1.Time `json:"last,omitempty"`
	Inner Inner        `json:"inner"`
	List  []Inner      `json:"list,omitempty"`
	Same  *Inner       `json:"same,omitempty"`
}

// Inner is nested.
type Inner struct {
	Ready bool `json:"ready"`
}

// Greeting is a result, and not made for an API.
type Greeting struct {
	Text  string
	At    time.Time
	Parts []*Greeting `json:"parts"`
	Any   any         `json:"any,omitempty"`
	Count map[string]int64
	Long  uint64 `json:",string"`
	Base
}

// Base is embedded.
type Base struct {
	ID   []byte `json:"id"`
	Text int
}

// Plain has no status.
//
// +kubebuilder:resource:scope=Cluster
type Plain struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
