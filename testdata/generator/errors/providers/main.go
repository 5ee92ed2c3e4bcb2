// Package main is a failing input.
//
// +groupName=providers.example.com
// +versionName=v1
package main

import (
	"context"
	"log/slog"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec   `json:"spec"`
	Status            GreeterStatus `json:"status,omitempty"`
}

type GreeterSpec struct {
	Size    int32                `json:"size"`
	Tier    string               `json:"tier,omitempty"`
	Limit   *int64               `json:"limit,omitempty"`
	Ready   bool                 `json:"ready"`
	Pods    []Pod                `json:"pods,omitempty"`
	Extra   runtime.RawExtension `json:"extra,omitempty"`
	Port    intstr.IntOrString   `json:"port,omitempty"`
	Nested  *Nested              `json:"nested,omitempty"`
	Words   map[string]string    `json:"words,omitempty"`
	Defined `json:",inline"`
}

type Pod struct {
	Name string `json:"name"`
}

type Nested struct {
	Depth int8 `json:"depth"`
}

type Defined struct {
	Colour Colour `json:"colour"`
}

type Colour string

type GreeterStatus struct {
	Phase string `json:"phase,omitempty"`
}

type (
	A      struct{}
	B      struct{}
	C      struct{}
	Token  string
	Store  interface{ Get() string }
	Clinic struct{}
	Other  struct{}

	// Stranger is provided by nobody.
	Stranger struct{}
)

// +kopf:on=startup
func MakeA(c *C) *A { return nil }

// +kopf:on=startup
func MakeB(a *A) (*B, error) { return nil, nil }

// +kopf:on=startup
func (b *B) MakeC(ctx context.Context) *C { return nil }

// +kopf:on=startup
func Selfish(t Token) Token { return "" }

// +kopf:on=startup
func Basic() (string, *int, map[string]int, []A, func()) { return "", nil, nil, nil, nil }

// +kopf:on=startup
func Known() (*slog.Logger, *rest.Config, kopf.Raw, kopf.Policy) { return nil, nil, nil, kopf.Policy{} }

// +kopf:on=startup
func Parts() (*Greeter, GreeterSpec, GreeterStatus, metav1.ObjectMeta) {
	return nil, GreeterSpec{}, GreeterStatus{}, metav1.ObjectMeta{}
}

// +kopf:on=startup
func First() (*Clinic, Store, error) { return nil, nil, nil }

// +kopf:on=startup
func Second() *Clinic { return nil }

// +kopf:on=startup
func MisplacedError() (error, *Other) { return nil, nil }

// +kopf:on=create
func Greet(g *Greeter, s Store, clinic *Clinic) {}

// +kopf:on=create
func (s Stranger) Nobody() {}

// +kopf:on=create
func (c Clinic) ByValue() {}

// +kopf:on=create
func Assignable(s interface{ Get() string }) {}

// +kopf:on=create
func (g *Greeter) Method() {}
