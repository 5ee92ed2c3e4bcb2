// Package main has its own main, which prints what was generated.
//
// +groupName=prints.kopf.dev
// +versionName=v1
package main

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

//go:generate go tool kopfgen

// Page is a page.
type Page struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PageSpec `json:"spec"`
}

// PageSpec is what is wanted.
type PageSpec struct {
	Lines []string `json:"lines,omitempty"`
}

// Print prints.
//
// +kopf:on=create;update,field=spec.lines
func Print(page Page) {}

func main() {
	d := Operator()
	fmt.Println(d.Name)
	for _, r := range d.Resources {
		fmt.Println(r.Plural, r.Group, r.Version)
		for _, h := range r.Handlers {
			fmt.Println(h.ID, h.Field)
		}
	}
	a := &Page{Spec: PageSpec{Lines: []string{"a"}}}
	b := a.DeepCopy()
	b.Spec.Lines[0] = "b"
	fmt.Println(a.Spec.Lines, b.Spec.Lines, b.DeepCopyObject() != nil)
}
