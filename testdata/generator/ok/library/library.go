// Package library is an operator that a program elsewhere embeds.
//
// +groupName=library.kopf.dev
// +versionName=v1alpha1
// +kopf:operator=library
package library

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

//go:generate go tool kopfgen

// Book is a book.
type Book struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Lend lends.
//
// +kopf:on=create
func Lend(book Book) {}
