// Package handlers has handlers.
package handlers

import (
	"context"
	"time"

	v1 "github.com/kopfgen/kopfgen/testdata/generator/ok/several/api/v1"
)

// Clinic is provided from here.
type Clinic struct{}

// Pause is read after startup.
var Pause = time.Second

// +kopf:on=startup
func Open() (*Clinic, error) { return nil, nil }

// +kopf:on=create,backoff=Pause,id=handlers-greet
func Greet(ctx context.Context, spec v1.WidgetSpec) error { return nil }

// +kopf:on=update,when=Ready
func (c *Clinic) Treat(w *v1.Widget) error { return nil }

// Ready is a filter.
func Ready(spec v1.WidgetSpec) bool { return spec.Size > 0 }
