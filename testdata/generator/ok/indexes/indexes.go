// Package main has indexes of every form, and takes them everywhere.
//
// +groupName=indexes.kopf.dev
// +versionName=v1
// +kopf:operator=indexes,ids=go
package main

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

// Shop is a shop.
//
// +kubebuilder:object:root=true
type Shop struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ShopSpec `json:"spec"`
}

// ShopSpec is what is wanted.
type ShopSpec struct {
	Owner string   `json:"owner"`
	Goods []string `json:"goods,omitempty"`
}

// Place is where something is.
type Place struct{ Namespace, Name string }

// Tags is a list that is one value.
type Tags []string

// Alias is another name of a place.
type Alias = Place

// Desk keeps an index for later.
type Desk struct{ owners kopf.Index[string, Place] }

// Open takes an index that is still empty.
//
// +kopf:on=startup
func Open(owners kopf.Index[string, Place]) *Desk { return &Desk{owners} }

// Owners has one row for each object.
//
// +kopf:on=index
func Owners(spec ShopSpec, name, namespace string) (string, Place) {
	return spec.Owner, Place{namespace, name}
}

// PodOwners fills the same index from another kind, if there is something to say.
//
// +kopf:on=index,id=owners,labels="shop",retries=3,backoff=1s
func PodOwners(ctx context.Context, pod corev1.Pod, key *kopf.Memo[int]) (string, Alias, bool, error) {
	return pod.Labels["shop"], Place{pod.Namespace, pod.Name}, pod.Status.Phase == corev1.PodRunning, nil
}

// AndAgain fills it from the same kind again.
//
// +kopf:on=index,id=owners,field=spec.goods,value=*
func AndAgain(shop Shop) (owner string, at Place, err error) {
	return "", Place{}, errors.New("not today")
}

// Goods has a row for each of the goods.
//
// +kopf:on=index,when=stocked
func Goods(spec ShopSpec, desk *Desk) map[string]int32 { return nil }

func stocked(spec ShopSpec) bool { return len(spec.Goods) > 0 }

// Lists has several values under one key.
//
// +kopf:on=index,id=by-list
func Lists(spec ShopSpec) (map[Place][]*corev1.Pod, error) { return nil, nil }

// Bytes has one value under each key, which is of bytes.
//
// +kopf:on=index,id=by-list/of.bytes,errors=temporary
func Bytes(raw kopf.Raw, retry int, started time.Time) (map[string][]byte, error) { return nil, nil }

// Tagged has a list of the author's own.
//
// +kopf:on=index,id=2nd,param=true
func Tagged(meta metav1.ObjectMeta, param bool) map[int]Tags { return nil }

// Plenty has several values, and no error.
//
// +kopf:on=index,id=type
func Plenty() map[bool][]int { return nil }

// Maybe has a row, or none.
//
// +kopf:on=index,id=maybe
func (d *Desk) Maybe(labels map[string]string) (key string, ok bool, present bool) {
	return "", true, false
}

type everything struct {
	Lists kopf.Index[Place, *corev1.Pod] `kopf:"index=by-list"`
	Bytes kopf.Index[string, []byte]     `kopf:"index=by-list/of.bytes"`
	Tags  kopf.Index[int, Tags]          `kopf:"index=2nd"`
	Types kopf.Index[bool, int]          `kopf:"index=type"`
	Owner string                         `kopf:"spec.owner"`
}

// Check looks things up.
//
// +kopf:on=create,when=known
// +kopf:on=event,id=event,when=known
// +kopf:on=timer,id=timer
func Check(all everything, owners kopf.Index[string, Alias], goods kopf.Index[string, int32], maybe kopf.Index[string, bool]) error {
	return nil
}

func known(owners kopf.Index[string, Place], spec ShopSpec) bool { return owners.Has(spec.Owner) }
