// Package main is a failing input.
//
// +groupName=beside.example.com
// +versionName=v1
package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

type Pump struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PumpSpec   `json:"spec"`
	Status            PumpStatus `json:"status,omitempty"`
}

type PumpSpec struct {
	Speed int32 `json:"speed"`
}

type PumpStatus struct {
	Turns int32 `json:"turns,omitempty"`
}

type Motor struct{}

// +kopf:on=daemon
func Changed(ctx context.Context, old, new *PumpSpec, reason kopf.Reason, diff kopf.Diff) {}

// +kopf:on=daemon
func OtherLive(ctx context.Context, spec PumpSpec, live kopf.Live[corev1.PodSpec], motor kopf.Live[Motor]) {
}

// +kopf:on=daemon
func PointerLive(ctx context.Context, live kopf.Live[*Pump]) {}

// +kopf:on=daemon
func TwoLive(ctx context.Context, live kopf.Live[PumpSpec], again kopf.Live[PumpSpec]) {}

// +kopf:on=create
func NotBeside(spec PumpSpec, live kopf.Live[Pump], stopped kopf.Stopped) {}

// +kopf:on=event,field=spec.speed
func Event(spec PumpSpec, stopped kopf.Stopped, old *int32) {}

// +kopf:on=create
func NoEvent(spec PumpSpec, event kopf.EventType, named string) {}

// +kopf:on=timer,interval=text,initialDelay=late,idle=missing
func Tick(spec PumpSpec, event kopf.EventType) {}

var text = "5s"

func late(spec *PumpSpec, retry int) time.Duration { return 0 }

// +kopf:on=timer,interval=perObject,initialDelay=number
func Tock(spec PumpSpec) {}

func perObject(spec PumpSpec) time.Duration { return 0 }

func number(spec PumpSpec) int { return 0 }

const negative = -time.Second

const zero = time.Duration(0)

// +kopf:on=timer,interval=zero,initialDelay=negative,id=negative
// +kopf:on=daemon,cancellationTimeout=negative,cancellationBackoff=zero,id=daemon
func Never(spec PumpSpec) {}

// +kopf:on=daemon,when=gone
func When(spec PumpSpec) {}

func gone(spec PumpSpec, stopped kopf.Stopped, live kopf.Live[Pump]) bool { return false }

// +kopf:on=timer,interval=5s
func Record(spec PumpSpec, events kopf.Recorder) {}

func main() {}
