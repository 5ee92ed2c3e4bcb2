// Package second is a failing input.
//
// +kopf:operator=first
package second
