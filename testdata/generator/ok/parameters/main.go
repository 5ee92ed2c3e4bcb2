// Package main has one of everything that changing handlers can have.
//
// +kopf:operator=parameters,prefix=parameters.example.com,retries=tries,backoff=pause,ids=snake_case
//
// +groupName=parameters.example.com
// +versionName=v1beta1
package main

//go:generate go tool kopfgen

import (
	"context"
	"log/slog"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

const tries = 7

var pause = 3 * time.Second

// Thing is a kind.
//
// +kubebuilder:subresource:status
// +kubebuilder:selectablefield:JSONPath=.spec.colour
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              *ThingSpec  `json:"spec,omitempty"`
	Status            ThingStatus `json:"status,omitempty"`
}

// ThingSpec has fields of many forms.
type ThingSpec struct {
	Base   `json:",inline"`
	Size   int32                `json:"size"`
	Limit  *int64               `json:"limit,omitempty"`
	Port   intstr.IntOrString   `json:"port,omitempty"`
	Extra  runtime.RawExtension `json:"extra,omitempty"`
	Words  map[string]string    `json:"words,omitempty"`
	Nested *Nested              `json:"nested,omitempty"`
	// +listType=map
	// +listMapKey=name
	Items []Item `json:"items,omitempty"`
	// +kubebuilder:default=3
	Copies int32 `json:"copies"`
}

// Base is embedded.
type Base struct {
	Colour string `json:"colour"`
}

// Nested is behind a pointer.
type Nested struct {
	Depth int8 `json:"depth"`
	Ready bool `json:"ready"`
}

// Item is in a list.
type Item struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// ThingStatus is the status.
type ThingStatus struct {
	Phase string `json:"phase,omitempty"`
}

type (
	// Clinic is made at startup.
	Clinic struct{ store Store }
	// Store is made at startup as well, by a handler further below.
	Store interface{ Get() string }
	// Port is a defined basic type.
	Port int
	// Total is a result.
	Total struct {
		Sum int `json:"sum"`
	}
	remembered struct{ seen int }
)

type memory struct{}

func (memory) Get() string { return "" }

// +kopf:on=startup
func Open(ctx context.Context, store Store, s *operator.Settings, cfg *rest.Config, log *slog.Logger) (*Clinic, Port, error) {
	return &Clinic{store}, 1, nil
}

// +kopf:on=startup,retries=3
func Connect(d dynamic.Interface, retry int, started time.Time, runtime time.Duration) Store {
	return memory{}
}

// +kopf:on=startup,param="x"
func Nothing(param string) {}

// +kopf:on=cleanup
func (c *Clinic) Shut(ctx context.Context, store Store) error { return nil }

// +kopf:on=create,timeout=limit,enabled=isOn
// +kopf:on=resume,deleted=true
func (c Clinic) Admit(ctx context.Context, spec ThingSpec, status *ThingStatus, port Port) (ThingStatus, error) {
	return ThingStatus{}, nil
}

func limit(port Port, c *Clinic) time.Duration { return time.Minute }

func isOn(port Port) bool { return port > 0 }

// +kopf:on=create;update,when=isReady,param=-5
func Plain(name, namespace, uid, reason string, labels, annotations map[string]string, retry int, started time.Time, runtime time.Duration, param int16) {
}

func isReady(t Thing, status ThingStatus, meta metav1.ObjectMeta, diff kopf.Diff, reason kopf.Reason, memo *kopf.Memo[remembered], args filtered) bool {
	return true
}

type filtered struct {
	Phase string `kopf:"status.phase"`
	Depth *int8  `kopf:"spec.nested.depth"`
	Word  string `kopf:"spec.words[\"a.b\"]"`
}

// +kopf:on=update
func Whole(old, new *Thing, t *Thing, diff kopf.Diff, reason kopf.Reason, patch *kopf.Patch, raw kopf.Raw, uid types.UID, cfg *rest.Config, d dynamic.Interface) {
}

// +kopf:on=update,when=isChange
func Specs(old ThingSpec, new *ThingSpec, spec *ThingSpec) {}

func isChange(old, new *ThingSpec, name string) bool { return true }

// +kopf:on=create
func Meta(meta *metav1.ObjectMeta, memo *kopf.Memo[remembered], any *kopf.Memo[any]) any { return nil }

// +kopf:on=delete,optional=true
func MetaAndStatus(meta metav1.ObjectMeta, status *ThingStatus) *Total { return nil }

// +kopf:on=field,field=spec.colour,value="red"
func Colour(old, new *string) {}

// +kopf:on=update,field=spec.limit,old=!,new=isLarge
func Limit(old, new *int64) {}

func isLarge(limit int64, present bool) bool { return present && limit > 10 }

// +kopf:on=update,field=spec.copies,old=3
func Copies(old, new int32) {}

// +kopf:on=field,field=spec.port,new="http",result=none
func Part(old, new kopf.Raw) (int, error) { return 0, nil }

// +kopf:on=field,field=metadata.annotations["demo.kopf.dev/owner"],annotations="demo.kopf.dev/owner",name="a*",namespace=default
func Owner(old, new *string) {}

// +kopf:on=field,field=status.phase
func Phase(old, new *string) {}

type args struct {
	Size   int32          `kopf:"spec.size"`
	Limit  *int64         `kopf:"spec.limit"`
	Nested Nested         `kopf:"spec.nested"`
	Tier   *string        `kopf:"label=tier"`
	Owner  string         `kopf:"annotation=demo.kopf.dev/owner"`
	Try    int            `kopf:"retry"`
	UID    types.UID      `kopf:"uid"`
	Word   string         `kopf:"spec.words.hello"`
	Extra  kopf.Raw       `kopf:"spec.extra"`
	Number int            `kopf:"param"`
	Name   string         `kopf:"name"`
	Wide   map[string]any `kopf:"-"`
}

// +kopf:on=create,param=9,id=tagged
func Tagged(ctx context.Context, a args) error { return nil }

type overlapping struct {
	Depth  *int8  `kopf:"spec.nested.depth"`
	Ready  bool   `kopf:"spec.nested.ready"`
	Colour string `kopf:"spec.colour"`
	Word   string `kopf:"spec.words.hello"`
}

// +kopf:on=create
func Overlapping(spec ThingSpec, a overlapping) {}

// +kopf:on=create
func OverlappingWhole(t Thing, a overlapping, spec ThingSpec) {}

// +kopf:on=create
func Subs(ctx context.Context, spec ThingSpec) error { return run(ctx) }

func run(ctx context.Context) error { return kopf.Execute(ctx) }

// +kopf:on=delete
func unexported() error { return nil }

func main() { operator.Main(Operator()) }
