// Package op cannot name what is internal to its handlers' tree.
//
// +kopf:operator=hidden,packages="../handlers/..."
package op
