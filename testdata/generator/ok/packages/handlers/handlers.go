// Package handlers has handlers of an operator elsewhere.
package handlers

import (
	"time"

	v1 "github.com/kopfgen/kopfgen/testdata/generator/ok/packages/api/v1"
)

// Grid is what startup makes.
type Grid struct{}

// Patience is a time that is only known at run time.
var Patience = time.Minute

// Connect makes the grid.
//
// +kopf:on=startup
func Connect() (*Grid, error) { return &Grid{}, nil }

// Light lights.
//
// +kopf:on=create,backoff=Patience
func Light(spec v1.LampSpec, grid *Grid) (int, error) { return spec.Watts, nil }

// Args are filled by their tags.
type Args struct {
	Watts int `kopf:"spec.watts"`
}

// Dim dims.
//
// +kopf:on=update,when=Bright,kind=Lamp
func (g *Grid) Dim(args Args) {}

// Bright is a condition.
func Bright(lamp v1.Lamp) bool { return lamp.Spec.Watts > 60 }
