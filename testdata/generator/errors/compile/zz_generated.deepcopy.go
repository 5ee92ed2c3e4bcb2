package main

func (g *Greeter) DeepCopy() *Greter { return g.Gone() }
