// Package main is a failing input.
//
// +groupName=rows.example.com
// +versionName=v1
package main

import (
	"errors"

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

// +kopf:on=index
func NoRows(spec ShopSpec) {}

// +kopf:on=index
func OnlyError(spec ShopSpec) error { return errors.New("never") }

// +kopf:on=index
func NoKey(spec ShopSpec) string { return "" }

// +kopf:on=index
func Four(spec ShopSpec) (string, string, bool, bool) { return "", "", true, true }

// +kopf:on=index
func NotABool(spec ShopSpec) (string, string, int) { return "", "", 1 }

// +kopf:on=index
func SliceKey(spec ShopSpec) ([]string, string) { return nil, "" }

// +kopf:on=index
func OpenKey(spec ShopSpec) (any, string) { return nil, "" }

// +kopf:on=index
func ErrorFirst(spec ShopSpec) (error, string, string) { return nil, "", "" }

// +kopf:on=index
func Edits(spec *ShopSpec, patch *kopf.Patch) (string, string) { return "", "" }

// +kopf:on=index
func Circular(spec ShopSpec, owners kopf.Index[string, int32]) (string, string) { return "", "" }

// +kopf:on=index
func Changes(old, new *ShopSpec, reason string, event kopf.EventType) (string, string) { return "", "" }

// +kopf:on=index
func Generic[T any](spec ShopSpec) (string, T) { var zero T; return "", zero }

// MayBeWrong gets no word about an index that is not there, since its function may be one of those above.
//
// +kopf:on=create
func MayBeWrong(noRows kopf.Index[string, int32]) {}

func main() {}
