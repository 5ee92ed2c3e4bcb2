// Package several takes handlers from elsewhere.
//
// +kopf:operator=several,packages="./handlers/..."
package several

//go:generate go tool kopfgen

import "github.com/kopfgen/kopfgen/testdata/generator/ok/several/api/v1"

// +kopf:on=create
func Greet(w *v1.Widget) error { return nil }

// +kopf:on=startup
func help() *Helper { return nil }

// Helper is provided.
type Helper struct{}
