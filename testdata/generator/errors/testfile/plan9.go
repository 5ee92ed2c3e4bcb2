//go:build plan9

package main

// +kopf:on=create
func Plan9(g *Greeter) {}
