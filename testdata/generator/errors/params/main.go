// Package main is a failing input.
//
// +groupName=params.example.com
// +versionName=v1
package main

import (
	"context"
	"log/slog"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/dynamic"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
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

type Clinic struct{}

type Name string

// +kopf:on=startup
func Open() (*Clinic, error) { return nil, nil }

// +kopf:on=create
func Unfit(spec GreeterSpec, what float64) error { return nil }

// +kopf:on=create
func Misspelled(nmae string, retires int, Started time.Time) {}

// +kopf:on=create
func WrongType(name []byte, uid types.NamespacedName, retry int32) {}

// +kopf:on=create
func NamedString(name Name) {}

// +kopf:on=create
func Unnamed(int) {}

// +kopf:on=create
func Blank(_ string) {}

// +kopf:on=create
func ByValue(log slog.Logger, clinic Clinic, patch kopf.Patch, memo kopf.Memo[int]) {}

// +kopf:on=create
func Foreign(pod corev1.PodSpec, opts kopf.Policy) {}

// +kopf:on=create
func Twice(ctx context.Context, a, b GreeterSpec, x *slog.Logger, y *slog.Logger, m *kopf.Memo[int], n *kopf.Memo[int], o *kopf.Memo[string]) {
}

// +kopf:on=create
func SecondContext(name string, ctx context.Context) {}

// +kopf:on=create
func TwoContexts(ctx context.Context, again context.Context) {}

// +kopf:on=create
func EditAndValue(g *Greeter, spec GreeterSpec) {}

// +kopf:on=create
func ValueAndEdit(g Greeter, status *GreeterStatus) {}

// +kopf:on=create
func SpecTwice(spec GreeterSpec, edit *GreeterSpec) {}

// +kopf:on=create
func EditAll(g *Greeter, u *unstructured.Unstructured) {}

// +kopf:on=create
func Fine(g Greeter, spec GreeterSpec, meta metav1.ObjectMeta, status GreeterStatus) {}

// +kopf:on=create
func FineToo(meta metav1.ObjectMeta, spec GreeterSpec, status *GreeterStatus, uid types.UID) {}

// +kopf:on=create
func Later(operation string, subresource string, dryRun bool) {}

// +kopf:on=create,param=5
func Taker(other string) {}

// +kopf:on=create,param=5
func Text(param string) {}

// +kopf:on=create,param=300
func Small(param int8) {}

// +kopf:on=create
func Missing(param int8) {}

// +kopf:on=create,param=5
func Unused() {}

// +kopf:on=create,result=none
func NoResult() error { return nil }

// +kopf:on=create
func Settings(s *operator.Settings) {}

// +kopf:on=startup
func Begin(name string, spec GreeterSpec, patch *kopf.Patch, s *operator.Settings, d dynamic.Interface, retry int, runtime time.Duration) {
}

// +kopf:on=cleanup
func End(s *operator.Settings, clinic *Clinic, reason kopf.Reason) {}

// +kopf:on=create,when=judge
func Judged() {}

func judge(ctx context.Context, g *Greeter, status *GreeterStatus, patch *kopf.Patch, retry int, old, new *Greeter, d dynamic.Interface) bool {
	return false
}

// +kopf:on=create,enabled=on
func Enabled() {}

func on(clinic *Clinic, log *slog.Logger, name string) bool { return false }
