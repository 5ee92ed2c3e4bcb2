// Package main is a failing input.
//
// +groupName=tags.example.com
// +versionName=v1
package main

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

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

type good struct {
	Size  int32         `kopf:"spec.size"`
	Limit *int64        `kopf:"spec.limit"`
	Plain int64         `json:"x" kopf:"spec.nested.depth"`
	Owner *string       `kopf:"annotation=demo.kopf.dev/owner"`
	Tier  string        `kopf:"label=tier"`
	Word  kopf.Raw      `kopf:"spec.words[\"a.b\"]"`
	Try   int           `kopf:"retry"`
	Since time.Duration `kopf:"runtime"`
	cache int           `kopf:"-"`
}

// +kopf:on=create
func Good(args good) {}

type bad struct {
	Size     int32  `kopf:"spec.sizes"`
	Tier     string `kopf:"spec..tier"`
	Words    string `kopf:"spec.words[a]"`
	Name     []byte `kopf:"name"`
	Label    int    `kopf:"label=tier"`
	Key      string `kopf:"annotation="`
	Index    string `kopf:"index=byTier"`
	Ready    string `kopf:"spec.ready"`
	Empty    string `kopf:""`
	Later    string `kopf:"operation"`
	Untagged string
	Nested   `kopf:"spec.nested"`
	Comma    string `kopf:"spec.words[\"a,b\"]"`
	Twice    string `kopf:"spec.tier"`
	Again    string `kopf:"spec.tier"`
}

// +kopf:on=create
func Bad(args bad) {}

type sized struct {
	Size int32 `kopf:"spec.size"`
}

// +kopf:on=create
func Pointer(args *sized) {}

// +kopf:on=create
func Overlap(args sized, spec *GreeterSpec) {}

// +kopf:on=create
func Inside(args sized, spec GreeterSpec) {}

// +kopf:on=create
func Twice(args sized, more sized) {}

// +kopf:on=startup
func Startup(args sized) {}

type rawSpec struct {
	Spec kopf.Raw `kopf:"spec"`
	Size int32    `kopf:"spec.size"`
}

// +kopf:on=create
func RawAndPart(args rawSpec) {}

// +kopf:on=create
func Inline(args struct {
	Size int64 `kopf:"spec.size"`
}) {
}
