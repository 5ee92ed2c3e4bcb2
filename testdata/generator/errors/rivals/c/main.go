// Package main is a third operator for the kind.
//
// +kopf:operator=c,prefix=b.example.com,finalizer=c.example.com/finalizer
package main

import corev1 "k8s.io/api/core/v1"

// +kopf:on=delete
func Drain(node *corev1.Node) {}
