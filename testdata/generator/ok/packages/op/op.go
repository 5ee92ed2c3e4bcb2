// Package op is the operator.
//
// +kopf:operator=lamps,packages="../handlers/..."
package op

//go:generate go tool kopfgen
