// Package nothing is a failing input.
//
// +kopf:operator=nothing
package nothing
