// Package main is a failing input whose markers are wrong, each in one way: nothing else may be said about it.
//
// +groupName=markers.example.com
// +versionName=v1
package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec `json:"spec"`
}

type GreeterSpec struct {
	Size int32 `json:"size"`
}

// Other makes the kind ambiguous where nothing tells it.
type Other struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kopf:on=craete
func UnknownKind(spec GreeterSpec) {}

// +kopf:on=create,kin=Greeter
func UnknownArgument(name string) {}

// +kopf:on=create,kind=Greeter,parm=5
func MisspelledParam(param int) {}

// +kopf:on=update,feild=spec.size
func MisspelledField(old, new int32, g GreeterSpec) {}

// +kopf:on=create,retries=0,backoff=fast
func WrongValues(g *Greeter) {}

// +kopf:on=timer,interval=5s
func Later(g *Greeter) {}

// +kopf:on=create,lock=key
func LaterArgument(g *Greeter) {}

// +kopf:on=field,field=spec.size,old=1,value=2
func Excluding(g *Greeter) {}

// +kopf:on=field
func NoField(old, new kopf.Raw, g *Greeter) {}

// +kopf:on=create
type Misplaced struct{}

func inside() {
	// +kopf:on=create
	_ = 1
}
