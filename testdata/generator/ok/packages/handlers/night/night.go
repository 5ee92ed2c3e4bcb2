// Package night has more of them.
package night

import v1 "github.com/kopfgen/kopfgen/testdata/generator/ok/packages/api/v1"

// Light has the name of another function.
//
// +kopf:on=delete,id=off
func Light(lamp *v1.Lamp) error { return nil }
