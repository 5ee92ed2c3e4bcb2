// Package main shows what runs for the operator itself: handlers of its start and its end, and what they share with the others.
//
// +groupName=demo.kopf.dev
// +versionName=v1
// +kopf:operator=clinic,retries=5,backoff=1s
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/operator"
)

//go:generate go tool kopfgen

// Patient is somebody to be seen.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Patient struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PatientSpec `json:"spec"`
}

// PatientSpec says why they come.
type PatientSpec struct {
	// Complaint is what hurts.
	Complaint string `json:"complaint"`
}

// Clinic is what the handlers share: it is opened at the start, and any handler may take it.
type Clinic struct {
	mu    sync.Mutex
	seats int
	beds  int
}

// Wards are built upon the clinic's size.
type Wards struct{ Beds int }

// Configure changes the settings before anything runs.
//
// +kopf:on=startup
func Configure(settings *operator.Settings) {
	settings.Grace = 5 * time.Second
}

// Build makes what Open needs; startup handlers run in the order in which they need each other.
//
// +kopf:on=startup
func Build() *Wards { return &Wards{Beds: 2} }

// Open fails at first and is tried again. Nothing is handled before it has succeeded, and if it is given up, the operator ends.
//
// +kopf:on=startup,backoff=100ms
func Open(ctx context.Context, wards *Wards, retry int, log *slog.Logger) (*Clinic, error) {
	if retry == 0 {
		return nil, errors.New("the doctor is late")
	}
	log.Info("the clinic is open", "beds", wards.Beds)
	return &Clinic{seats: 10, beds: wards.Beds}, nil
}

// Admit takes the clinic as it takes the patient's spec.
//
// +kopf:on=create
func Admit(clinic *Clinic, name string, spec PatientSpec) (string, error) {
	clinic.mu.Lock()
	defer clinic.mu.Unlock()
	if clinic.beds == 0 {
		return "", fmt.Errorf("no bed for %s", name)
	}
	clinic.beds--
	return "a bed for " + spec.Complaint, nil
}

// Discharge is a method of what startup made.
//
// +kopf:on=delete
func (c *Clinic) Discharge(log *slog.Logger, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.beds++
	log.Info("a bed is free", "after", name)
}

// Close runs after everything else has stopped.
//
// +kopf:on=cleanup
func Close(clinic *Clinic, log *slog.Logger) {
	log.Info("the clinic is closed", "free", clinic.beds)
}
