// Package deep has a handler, too.
package deep

import (
	v1 "github.com/kopfgen/kopfgen/testdata/generator/ok/several/api/v1"
	"github.com/kopfgen/kopfgen/testdata/generator/ok/several/handlers"
)

// +kopf:on=delete
func Bury(w v1.Widget, c *handlers.Clinic) error { return nil }
