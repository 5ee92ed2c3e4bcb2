// Package plain declares no kind.
package plain

// +kopf:on=create
func Nothing(name string) {}
