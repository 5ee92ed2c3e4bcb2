// Package main is a failing input.
package main

// +kopf:on=create
func Greet(name string {}
