// Package main has daemons and timers, with everything that only they can have.
//
// +groupName=beside.kopf.dev
// +versionName=v1
// +kopf:operator=beside
package main

import (
	"context"
	"log/slog"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

// Pump is a pump.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Pump struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PumpSpec    `json:"spec"`
	Status *PumpStatus `json:"status,omitempty"`
}

// PumpSpec is what is wanted.
type PumpSpec struct {
	Speed int32         `json:"speed"`
	Rest  time.Duration `json:"rest,omitempty"`
}

// PumpStatus is what is.
type PumpStatus struct {
	Turns int32 `json:"turns,omitempty"`
}

// Motor is what startup makes.
type Motor struct{}

var patience = time.Minute

const pause = 90 * time.Second

func every(m *Motor) time.Duration { return time.Second }

// Open runs before everything else.
//
// +kopf:on=startup
func Open() *Motor { return &Motor{} }

// Run follows the whole object until it is told to stop.
//
// +kopf:on=daemon,initialDelay=warmUp,cancellationBackoff=5s,cancellationTimeout=patience,retries=3,when=fast
func Run(ctx context.Context, live kopf.Live[Pump], stopped kopf.Stopped, log *slog.Logger) error {
	return nil
}

func warmUp(spec PumpSpec, m *Motor) time.Duration { return spec.Rest }

func fast(spec PumpSpec, status PumpStatus) bool { return spec.Speed > 3 }

// Follow follows two parts, and edits one of them.
//
// +kopf:on=daemon,cancellationPolling=pause,field=status.turns,value=*
func Follow(ctx context.Context, spec kopf.Live[PumpSpec], seen kopf.Live[PumpStatus], status *PumpStatus, memo *kopf.Memo[int], started time.Time) (PumpStatus, error) {
	return PumpStatus{}, nil
}

// Plain is a daemon without anything.
//
// +kopf:on=daemon
func Plain(ctx context.Context) {}

// Tick runs every so often, on three schedules.
//
// +kopf:on=timer,interval=1h30m,sharp=true,idle=10s,initialDelay=5s,id=often
// +kopf:on=timer,interval=every,idle=patience,initialDelay=patience,id=dynamic,backoff=pause
// +kopf:on=timer,interval=pause,initialDelay=pause,sharp=false,result=ticks,labels="a=b"
// +kopf:on=timer,idle=1m,id=idle,errors=permanent
func Tick(spec PumpSpec, name string, retry int, patch *kopf.Patch) int { return 1 }

// Once is a timer that runs once, and a method; it takes the object as it is.
//
// +kopf:on=timer,initialDelay=warmUp,enabled=on
func (m *Motor) Once(u unstructured.Unstructured, raw kopf.Live[kopf.Raw], rest kopf.Live[unstructured.Unstructured]) error {
	return nil
}

func on() bool { return true }
