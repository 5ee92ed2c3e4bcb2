// Package main has one of everything that a handler can take.
//
// +groupName=demo.kopf.dev
// +versionName=v1
// +kopf:operator=clinic,prefix=clinic.example.com,retries=7
package main

import (
	"context"
	"log/slog"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

//go:generate go tool kopfgen

// Bed is a bed.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Bed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BedSpec    `json:"spec"`
	Status *BedStatus `json:"status,omitempty"`
}

// BedSpec is what is wanted.
type BedSpec struct {
	Size    int32                  `json:"size"`
	Patient *string                `json:"patient,omitempty"`
	Ward    *Ward                  `json:"ward,omitempty"`
	Extras  map[string]*Extra      `json:"extras,omitempty"`
	Ports   []corev1.ContainerPort `json:"ports,omitempty"`
	Sheets  Box[string]            `json:"-"`
}

// Ward is where a bed stands.
type Ward struct {
	Name  string `json:"name"`
	Floor int    `json:"floor,omitempty"`
}

// Extra comes with a bed.
type Extra struct {
	Count int `json:"count"`
}

// Box is generic.
type Box[T any] struct{ In T }

// BedStatus is what is.
type BedStatus struct {
	Phase string `json:"phase,omitempty"`
}

// Clinic is what startup makes.
type Clinic struct{ client *rest.Config }

type counter struct{ n int }

// Tariff is another thing that startup makes.
type Tariff interface{ Price(int32) int }

type flat int

func (f flat) Price(int32) int { return int(f) }

var tries = 4

const pause = 3 * time.Second

func patience(c *Clinic) time.Duration { return time.Minute }

// Open runs before everything else.
//
// +kopf:on=startup,timeout=1m
func Open(ctx context.Context, cfg *rest.Config, s *operator.Settings, log *slog.Logger) (*Clinic, error) {
	return &Clinic{client: cfg}, nil
}

// Price takes what Open has made.
//
// +kopf:on=startup
func Price(c *Clinic) Tariff { return flat(3) }

// Shut runs at the end.
//
// +kopf:on=cleanup
func Shut(ctx context.Context, c *Clinic) {}

// Greet takes plain values, and returns a result.
//
// +kopf:on=create,retries=5,backoff=1s..5m,errors=permanent,param="loud",result=greeting
func Greet(ctx context.Context, spec BedSpec, name, namespace, reason, uid string, labels, annotations map[string]string, retry int, started time.Time, runtime time.Duration, param string) (string, error) {
	return "hello " + name, nil
}

// Resize takes a field before and after, and edits the object.
//
// +kopf:on=field,field=spec.size,labels="tier in (web,api)",old=*,new=big,when=busy,enabled=open,timeout=patience
func Resize(old *int32, new int32, bed *Bed, diff kopf.Diff) error { return nil }

func big(size int32, present bool) bool { return present && size > 10 }

func busy(spec BedSpec, labels map[string]string) bool { return spec.Patient != nil }

func open(c *Clinic) bool { return c != nil }

// Settle reads the spec and edits the status, twice for two markers that bind alike.
//
// +kopf:on=update,backoff=0s
// +kopf:on=resume,deleted=true,retries=tries,backoff=pause,id=settle-again
func Settle(spec BedSpec, status *BedStatus, seen *kopf.Memo[counter], tariff Tariff) {
	status.Phase = "settled"
}

type farewellArgs struct {
	Size    int32          `kopf:"spec.size"`
	Patient string         `kopf:"spec.patient"`
	Ward    *string        `kopf:"spec.ward.name"`
	Floor   int            `kopf:"spec.ward.floor"`
	Count   int            `kopf:"spec.extras.pillow.count"`
	Tier    string         `kopf:"label=tier"`
	Owner   *string        `kopf:"annotation=demo.kopf.dev/owner"`
	Try     int            `kopf:"retry"`
	Rest    chan<- *Clinic `kopf:"-"`
}

// Farewell is a method of what startup has made.
//
// +kopf:on=delete,optional=true,annotations="demo.kopf.dev/vip"
func (c *Clinic) Farewell(ctx context.Context, args farewellArgs) error { return nil }

// Judge returns the status.
//
// +kopf:on=update,field=spec.ward,value=*,name="bed-*",namespace=ward
func Judge(old, new *Ward, meta metav1.ObjectMeta, raw kopf.Raw) (BedStatus, error) {
	return BedStatus{Phase: new.Name}, nil
}

// Tag edits the metadata.
//
// +kopf:on=create;update,id=tag,result=none
func Tag(ctx context.Context, meta *metav1.ObjectMeta, patch *kopf.Patch, client dynamic.Interface, uid types.UID, reason kopf.Reason) (map[string]int, error) {
	return nil, nil
}

// Compare takes whole specs.
//
// +kopf:on=update,retries=none
func Compare(old, new BedSpec) []int { return nil }
