// Package main is a program of its own.
package main

func main() {}
