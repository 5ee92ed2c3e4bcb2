// Package main shows how a handler says which objects, and which changes, it is for.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package main

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

//go:generate go tool kopfgen

// Letter is a letter on its way.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Letter struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   LetterSpec   `json:"spec"`
	Status LetterStatus `json:"status,omitempty"`
}

// LetterSpec says what kind of letter it is.
type LetterSpec struct {
	// To is the address.
	To string `json:"to"`
	// Class is first or second.
	Class string `json:"class,omitempty"`
	// Pages is how long it is.
	Pages int `json:"pages,omitempty"`
}

// LetterStatus lists the handlers that the letter has met.
type LetterStatus struct {
	// Stamps has one for each.
	Stamps []string `json:"stamps,omitempty"`
}

func (s *LetterStatus) stamp(with string) { s.Stamps = append(s.Stamps, with) }

// ByLabel is for letters with a label of certain values.
//
// +kopf:on=create,labels="office in (north,south),!lost"
func ByLabel(status *LetterStatus) { status.stamp("label") }

// ByAnnotation is for letters with an annotation, whatever it says.
//
// +kopf:on=create,annotations="demo.kopf.dev/urgent"
func ByAnnotation(status *LetterStatus) { status.stamp("annotation") }

// ByName is for letters whose names begin in a certain way.
//
// +kopf:on=create,name="love-*"
func ByName(status *LetterStatus) { status.stamp("name") }

// ByValue is for letters of the first class.
//
// +kopf:on=create,field=spec.class,value="first"
func ByValue(status *LetterStatus) { status.stamp("value") }

// ByFunction is for long letters.
//
// +kopf:on=create,field=spec.pages,value=long
func ByFunction(status *LetterStatus) { status.stamp("function") }

func long(pages int, present bool) bool { return present && pages > 10 }

// ByCondition is for letters of which a function of our own says so. It takes what a handler takes.
//
// +kopf:on=create,when=abroad
func ByCondition(status *LetterStatus) { status.stamp("condition") }

func abroad(spec LetterSpec, labels map[string]string) bool {
	return strings.Contains(spec.To, "overseas") && labels["inland"] == ""
}

// OnUpgrade is for letters that rise to the first class from another, or from none.
//
// +kopf:on=update,field=spec.class,old=lesser,new="first"
func OnUpgrade(status *LetterStatus) { status.stamp("upgrade") }

func lesser(class string, _ bool) bool { return class != "first" }

// OnLoss is for letters that lose their class. There is no new value then; the old one is that of the field.
//
// +kopf:on=update,field=spec.class,new=!
func OnLoss(old string, status *LetterStatus) { status.stamp("loss of " + old) }
