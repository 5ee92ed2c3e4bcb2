// Package handlers is taken by op.
//
// +groupName=hidden.example.com
// +versionName=v1
package handlers

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/testdata/generator/errors/hidden/handlers/internal/store"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              store.Spec `json:"spec"`
}

// Memo is a name for store.Memo that generated code can use.
type Memo = store.Memo

// +kopf:on=startup
func Open() *store.Store { return nil }

// +kopf:on=create,retries=store.Limit,backoff=store.Pause,when=store.Wanted
func Create(thing *Thing) {}

// +kopf:on=update
func Update(spec store.Spec) {}

// +kopf:on=update,field=spec.size,value=judge
func Resize(old, new store.Size) {}

func judge(size store.Size, present bool) bool { return present }

// +kopf:on=delete
func Delete(thing *Thing, memo *kopf.Memo[store.Memo]) {}

// +kopf:on=resume
func Fine(thing *Thing, memo *kopf.Memo[Memo]) {}
