// Package main is one of two operators for one kind.
//
// +kopf:operator=b,prefix=b.example.com
package main

import corev1 "k8s.io/api/core/v1"

// +kopf:on=delete
func Drain(node *corev1.Node) {}
