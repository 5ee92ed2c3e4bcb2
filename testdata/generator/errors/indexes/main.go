// Package main is a failing input.
//
// +groupName=indexes.example.com
// +versionName=v1
package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

type Shop struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShopSpec `json:"spec"`
}

type ShopSpec struct {
	Owner string   `json:"owner"`
	Goods []string `json:"goods,omitempty"`
}

// +kopf:on=index
func Owners(spec ShopSpec) (string, int32) { return spec.Owner, 1 }

// +kopf:on=index,id=owners
func OtherValue(pod corev1.Pod) (string, int64) { return "", 0 }

// +kopf:on=index,id=by-goods
func Goods(spec ShopSpec) map[string][]string { return nil }

// +kopf:on=create
func Misspelled(spec ShopSpec, ownres kopf.Index[string, int32]) {}

// +kopf:on=create
func NearButOther(spec ShopSpec, owner kopf.Index[string, bool]) {}

// +kopf:on=create
func OtherKey(spec ShopSpec, owners kopf.Index[int, int32]) {}

// +kopf:on=create
func NotAList(spec ShopSpec, owners kopf.Index[string, []int32]) {}

// +kopf:on=create
func Unnamed(spec ShopSpec, _ kopf.Index[string, int32]) {}

// +kopf:on=create
func Pointer(spec ShopSpec, owners *kopf.Index[string, int32]) {}

// +kopf:on=create
func Twice(spec ShopSpec, owners, goods kopf.Index[string, int32]) {}

type tagged struct {
	Goods kopf.Index[string, string] `kopf:"index=by-good"`
	Owner string                     `kopf:"index=owners"`
	Empty kopf.Index[string, string] `kopf:"index="`
	Bare  kopf.Index[string, string] `kopf:"spec.goods"`
}

// +kopf:on=create
func Tagged(spec ShopSpec, all tagged) {}

// +kopf:on=startup
func Open(missing kopf.Index[string, int32]) {}

func main() {}
