// Package handlers gives names of its own to what is internal to its tree.
//
// +groupName=hidden.kopf.dev
// +versionName=v1
package handlers

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/testdata/generator/ok/hidden/handlers/internal/store"
)

type (
	Spec  = store.Spec
	Memo  = store.Memo
	Store = store.Store
	Size  = store.Size
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec"`
}

// +kopf:on=startup
func Open() (*Store, Memo) { return nil, Memo{} }

// +kopf:on=create,backoff=store.Pause
func Create(spec Spec, memo *kopf.Memo[Memo], s *Store) {}

// +kopf:on=update,field=spec.size
func Update(old, new Size, spec *Spec, m Memo) {}

// +kopf:on=delete
func Delete(thing *Thing) {}
