// Package main is a failing input.
//
// +groupName=activities.example.com
// +versionName=v1
package main

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

type Greeter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// The configuration is made by login handlers, after startup.

// +kopf:on=startup
func Early(cfg *rest.Config, client dynamic.Interface) {}

// +kopf:on=login
func LoginWithConfig(cfg *rest.Config, client dynamic.Interface) (*rest.Config, error) {
	return cfg, nil
}

// +kopf:on=login
func LoginWithNothing() error { return nil }

// +kopf:on=login
func LoginNowhere() {}

// +kopf:on=login
func LoginByValue() (rest.Config, error) { return rest.Config{}, nil }

// +kopf:on=login
func LoginTwice() (*rest.Config, *rest.Config, error) { return nil, nil, nil }

// +kopf:on=probe
func ProbeNothing() error { return nil }

// +kopf:on=probe
func ProbeTwo() (int, string) { return 0, "" }

// +kopf:on=probe
func ProbeFunc() (func(), error) { return nil, nil }

// +kopf:on=probe
func ProbeObject(g *Greeter, name string) int { return 0 }

// +kopf:on=background
func BackgroundResult() (int, error) { return 0, nil }

// +kopf:on=background
func BackgroundSettings(settings *operator.Settings, patch *kopf.Patch) {}

// +kopf:on=background,interval=none,initialDelay=0s,whilePaused=yes
func BackgroundNever() {}

const (
	minutes = 5
	never   = 0 * time.Second
)

// +kopf:on=background,interval=minutes,initialDelay=never
func BackgroundUntyped(ctx context.Context) {}

// +kopf:on=background
func (s *Stranger) Method() {}

type Stranger struct{}

// +kopf:on=create
func Greet(g *Greeter) {}

type (
	Sun  struct{}
	Moon struct{}
)

// +kopf:on=startup,retries=afterMoon
func Rise() *Sun { return nil }

// +kopf:on=startup
func Set(s *Sun) *Moon { return nil }

func afterMoon(m *Moon) int { return 1 }
