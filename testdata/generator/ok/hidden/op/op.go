// Package op is an operator whose handlers' tree has internal packages, of which it can name what is exported under another name.
//
// +kopf:operator=hidden,packages=../handlers
package op

//go:generate go tool kopfgen
