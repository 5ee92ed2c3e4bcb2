// Package main has kinds of many shapes.
//
// +groupName=shapes.kopf.dev
// +versionName=v1beta1
package main

import (
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	words "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

type (
	// Shape has everything.
	//
	// +kubebuilder:object:root=true
	// +kubebuilder:subresource:status
	// +kubebuilder:resource:path=shapery,scope=Cluster,shortName=sh
	Shape struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitempty"`

		Spec   *shapeSpec  `json:"spec,omitempty"`
		Status ShapeStatus `json:"status,omitempty"`
	}

	// ShapeList lists them.
	//
	// +kubebuilder:object:root=true
	ShapeList struct {
		metav1.TypeMeta `json:",inline"`
		metav1.ListMeta `json:"metadata,omitempty"`

		Items []Shape `json:"items"`
	}
)

type shapeSpec struct {
	base    `json:",inline"`
	Port    intstr.IntOrString            `json:"port,omitempty"`
	Memory  resource.Quantity             `json:"memory,omitempty"`
	Free    runtime.RawExtension          `json:"free,omitempty"`
	Raw     json.RawMessage               `json:"raw,omitempty"`
	When    *metav1.Time                  `json:"when,omitempty"`
	For     metav1.Duration               `json:"for,omitempty"`
	Pause   time.Duration                 `json:"pause,omitempty"`
	Match   *metav1.LabelSelector         `json:"match,omitempty"`
	Deep    map[string]map[string][]*leaf `json:"deep,omitempty"`
	Names   []Name                        `json:"names,omitempty"`
	Weights map[Name]float64              `json:"weights,omitempty"`
	Colors  Colors                        `json:"colors,omitempty"`
	Grid    [][]int                       `json:"grid,omitempty"`
	Bytes   []byte                        `json:"bytes,omitempty"`
	Flag    *bool                         `json:"flag,omitempty"`
	hidden  int
}

type base struct {
	// +kubebuilder:default=round
	// +kubebuilder:validation:Enum=round;square
	Form Name `json:"form"`
}

type leaf struct {
	Value string `json:"value"`
}

// Name is a name.
type Name string

// Colors are many.
type Colors map[string]Color

// Color is one.
type Color struct {
	RGB []uint8 `json:"rgb,omitempty"`
}

// ShapeStatus is what is.
type ShapeStatus struct {
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Paint      []Name             `json:"paint"`
}

// Hand copies itself.
type Hand struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Fingers []string `json:"fingers,omitempty"`
}

// DeepCopyObject is written by hand.
func (h *Hand) DeepCopyObject() runtime.Object { return h.copy() }

// DeepCopyInto is written by hand, too.
func (h *Hand) DeepCopyInto(out *Hand) { *out = *h.copy() }

// DeepCopy is the last of them.
func (h *Hand) DeepCopy() *Hand { return h.copy() }

func (h *Hand) copy() *Hand { c := *h; return &c }

// Cut edits the spec, which may not be there.
//
// +kopf:on=create;update
func Cut(spec *shapeSpec, status *ShapeStatus) error {
	spec.Pause++
	return nil
}

// Paint returns what the status has a field for.
//
// +kopf:on=update,field=spec.colors,kind=Shape
func Paint(old, new Colors) ([]Name, error) { return nil, nil }

// Weigh has two markers that bind differently.
//
// +kopf:on=field,field=spec.names,id=names,kind=Shape
// +kopf:on=field,field=spec.form,id=form,kind=Shape
func Weigh(diff words.Diff, s shapeSpec) map[string]*metav1.Time { return nil }

// Point takes a hand.
//
// +kopf:on=delete
func Point(h Hand) {}

var _ runtime.Object = &Shape{}
var _ runtime.Object = &Hand{}
