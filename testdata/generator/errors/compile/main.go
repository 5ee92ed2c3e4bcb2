// Package main is a failing input.
//
// +groupName=compile.example.com
// +versionName=v1
package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/testdata/generator/errors/compile/missing"
)

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GreeterSpec `json:"spec"`
}

type GreeterSpec struct {
	Size int32 `json:"size"`
}

var _ runtime.Object = &Greeter{}

func twin(g *Greeter) *Greeter { return g.DeepCopy() }

func other(g *Greeter) *metav1.ObjectMeta { return g.DeepCopy() }

func copied(g *Greeter) int32 { return g.DeepCopy().Spec.DeepCopy().Size }

func start() any { return Operator() }

// +kopf:on=create
func Greet(g *Greeter, live kopf.Live[Greeter]) { undefined() }

// +kopf:on=create,when=nobody
func Unknown(spec GreeterSpecs, other int) unheardOf { return nil }

func unused() {
	x := 1
}
