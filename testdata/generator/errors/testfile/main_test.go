package main

// +kopf:on=create
func Test(g *Greeter) {}
