// Package main is a failing input.
//
// +groupName=idents.example.com
// +versionName=v1
package main

import (
	"math"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
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

const (
	tries    = 5
	none     = 0
	minute   = time.Minute
	untyped  = 60
	negative = -time.Second
	word     = "five"
)

var (
	delay  = 5 * time.Second
	number = int32(5)
	_      = math.Pi
)

type Clinic struct{}

// +kopf:on=startup
func Open() *Clinic { return nil }

func wait(c *Clinic) time.Duration { return 0 }

func waitFor(name string) time.Duration { return 0 }

func waitOrFail() (time.Duration, error) { return 0, nil }

// +kopf:on=create,retries=tries,timeout=minute,backoff=wait
func Good() {}

// +kopf:on=create,retries=treis,timeout=minutes,backoff=unheardOf
func Undefined() {}

// +kopf:on=create,retries=none_,timeout=untyped,backoff=number
func Wrong() {}

const none_ = none

// +kopf:on=create,retries=word,timeout=negative,backoff=negative
func WrongAgain() {}

// +kopf:on=create,retries=Clinic,timeout=waitOrFail,backoff=waitFor
func Functions() {}

// +kopf:on=create,retries=math.MaxInt64,timeout=time.Hour,backoff=clock.Now
func Imported() {}

// +kopf:on=create,timeout=math.pi
func Unexported() {}

// +kopf:on=create,when=delay,enabled=tries
func NoFunctions() {}

// +kopf:on=create,when=isRaedy
func Misspelled() {}

func isReady() bool { return false }
