// Package handlers has handlers of a kind of the operator's own package.
package handlers

import "github.com/kopfgen/kopfgen/testdata/generator/errors/cycle"

// Light lights.
//
// +kopf:on=create
func Light(l cycle.Lamp) {}
