// Package hooks has handlers of all kinds that run for the operator itself.
//
// +groupName=hooks.kopf.dev
// +versionName=v1
// +kopf:operator=hooks,retries=9
package hooks

import (
	"context"
	"log/slog"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/operator"
)

//go:generate go tool kopfgen

// Door is what is handled.
type Door struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec DoorSpec `json:"spec"`
}

// DoorSpec is what is wanted.
type DoorSpec struct {
	Open bool `json:"open"`
}

// Keys are what the operator logs in with.
type Keys struct{ Server, Token string }

// House is what the operator guards.
type House struct{ Doors int }

// Patience is evaluated at run time.
var Patience = time.Second

// Rounds is asked when the house is known.
func (h *House) Rounds() time.Duration { return time.Duration(h.Doors) * time.Minute }

// Attempts is asked before the handler that it is for is called for the first time.
func Attempts(keys *Keys) int { return len(keys.Token) }

const pause = 5 * time.Second

// Find is a startup handler that comes before the login.
//
// +kopf:on=startup
func Find(settings *operator.Settings) *Keys { return &Keys{} }

// Build takes what another one makes, for its attempts alone.
//
// +kopf:on=startup,retries=Attempts
func Build() *House { return &House{Doors: 1} }

// Login makes the credentials.
//
// +kopf:on=login,retries=3,backoff=1s..1m
func Login(ctx context.Context, keys *Keys, log *slog.Logger) (*rest.Config, error) {
	return &rest.Config{Host: keys.Server, BearerToken: keys.Token}, nil
}

// Anonymous cannot fail.
//
// +kopf:on=login
func Anonymous() *rest.Config { return &rest.Config{} }

// Now is shown by the probe.
//
// +kopf:on=probe
func Now() time.Time { return time.Now() }

// Lights is shown under another name, and may fail.
//
// +kopf:on=probe,id=lights.on
func (h *House) Lights(ctx context.Context) (map[string]int, error) { return nil, nil }

// Watch runs as long as the operator does.
//
// +kopf:on=background,retries=none
func (h *House) Watch(ctx context.Context, cfg *rest.Config, log *slog.Logger) error { return nil }

// Patrol runs now and then.
//
// +kopf:on=background,interval=10m,initialDelay=pause,whilePaused=true
func Patrol(client dynamic.Interface, retry int) {}

// Tick runs as often as the house says.
//
// +kopf:on=background,interval=every,initialDelay=Patience
func Tick() error { return nil }

func every(house *House) time.Duration { return house.Rounds() }

// Shut is a handler of objects, which may have the configuration.
//
// +kopf:on=create
func Shut(door *Door, cfg *rest.Config) {}

// Leave is called last.
//
// +kopf:on=cleanup
func Leave(keys *Keys) error { return nil }
