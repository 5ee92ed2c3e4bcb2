// Package main has a handler of every kind that reacts to changes.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package main

import (
	"log/slog"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

// Shop is a shop with opening hours.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Shop struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ShopSpec   `json:"spec"`
	Status ShopStatus `json:"status,omitempty"`
}

// ShopSpec says how the shop should be.
type ShopSpec struct {
	// Hours is when the shop is open.
	Hours string `json:"hours"`
	// Staff lists who works there.
	Staff []string `json:"staff,omitempty"`
}

// ShopStatus says how it is.
type ShopStatus struct {
	// Sign is what stands on the door.
	Sign string `json:"sign,omitempty"`
	// Hired counts the people who were hired since the shop opened.
	Hired int `json:"hired,omitempty"`
	// Seen counts how often an operator came by.
	Seen int `json:"seen,omitempty"`
}

// Open runs once for a new shop. What it changes in the status is patched back.
//
// +kopf:on=create
func Open(spec ShopSpec, status *ShopStatus) {
	status.Sign = "open " + spec.Hours
	status.Hired = len(spec.Staff)
}

// Visit runs for a new shop, and again for each shop that is found when the operator starts.
//
// +kopf:on=create;resume
func Visit(reason kopf.Reason, status *ShopStatus, log *slog.Logger) {
	log.Info("coming by", "because", reason)
	status.Seen++
}

// Alter runs for every change, whatever it is, and tells what it was.
//
// +kopf:on=update
func Alter(diff kopf.Diff, log *slog.Logger) {
	for _, change := range diff {
		log.Info("changed", "what", change.String())
	}
}

// Paint runs when the hours change.
//
// +kopf:on=update,field=spec.hours
func Paint(old, new string, status *ShopStatus, log *slog.Logger) {
	log.Info("painting the sign", "old", old, "new", new)
	status.Sign = "open " + new
}

// Hire runs for every change of the staff, that from nothing at the creation included; hence a slice, which can be nil.
//
// +kopf:on=field,field=spec.staff
func Hire(old, new []string, reason kopf.Reason, status *ShopStatus) {
	if reason == kopf.ReasonUpdate && len(new) > len(old) {
		status.Hired += len(new) - len(old)
	}
}

// Close runs before the shop goes; the object waits for it.
//
// +kopf:on=delete
func Close(name string, log *slog.Logger) error {
	log.Info("closing for ever", "shop", name)
	return nil
}
