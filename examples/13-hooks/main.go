// Package main shows what runs for the operator itself: handlers of its start and its end, and what they share with the others.
//
// +groupName=demo.kopf.dev
// +versionName=v1
// +kopf:operator=clinic,retries=5,backoff=1s
package main

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
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
	mu   sync.Mutex
	beds int
}

// Wards are where the beds are.
type Wards struct{ Beds int }

// Configure changes the settings before anything runs.
//
// +kopf:on=startup
func Configure(settings *operator.Settings) {
	settings.Grace = 5 * time.Second
}

// Open fails at first and is tried again, after the delay that is the operator's default. Nothing is handled before it has succeeded, and
// if it is given up, the operator ends.
//
// +kopf:on=startup
func Open(wards *Wards, retry int, log *slog.Logger) (*Clinic, error) {
	if retry == 0 {
		return nil, errors.New("the doctor is late")
	}
	log.Info("the clinic is open", "beds", wards.Beds)
	return &Clinic{beds: wards.Beds}, nil
}

// Build makes what Open needs, and hence runs before it.
//
// +kopf:on=startup
func Build() *Wards { return &Wards{Beds: 2} }

// Admit takes the clinic as it takes the patient's spec.
//
// +kopf:on=create
func Admit(clinic *Clinic, spec PatientSpec, log *slog.Logger) (string, error) {
	clinic.mu.Lock()
	defer clinic.mu.Unlock()
	if clinic.beds == 0 {
		return "", kopf.Wait(500 * time.Millisecond)
	}
	clinic.beds--
	log.Info("a bed is taken", "free", clinic.beds)
	return "a bed for " + spec.Complaint, nil
}

// Discharge is a method of what startup made.
//
// +kopf:on=delete
func (c *Clinic) Discharge(log *slog.Logger) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.beds++
	log.Info("a bed is free again", "free", c.beds)
}

// Close runs after everything else has stopped.
//
// +kopf:on=cleanup
func Close(clinic *Clinic, log *slog.Logger) {
	log.Info("the clinic is closed", "free", clinic.beds)
}
