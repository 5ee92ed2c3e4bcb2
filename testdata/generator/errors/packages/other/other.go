// Package other is an operator itself.
//
// +kopf:operator=other,prefix=other.example.com
package other

import corev1 "k8s.io/api/core/v1"

// +kopf:on=create
func Create(pod corev1.Pod) {}
