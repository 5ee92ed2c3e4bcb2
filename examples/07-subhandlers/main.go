// Package main sends parcels: one sub-handler for each, with progress of its own.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

// Shipment is a number of parcels that go out together.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Shipment struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ShipmentSpec `json:"spec"`
}

// ShipmentSpec says what is sent.
type ShipmentSpec struct {
	// Parcels are the names of the parcels.
	Parcels []string `json:"parcels"`
}

// Receipt is what comes of sending a parcel.
type Receipt struct {
	Parcel   string `json:"parcel"`
	Attempts int    `json:"attempts"`
}

// attempts counts how often each parcel was tried, to make the first try of some fail.
type attempts map[string]int

// Send sends every parcel. A parcel that is sent is not sent again, however often the others have to be tried, and not after a restart either.
//
// +kopf:on=create,field=spec.parcels
func Send(ctx context.Context, spec ShipmentSpec, memo *kopf.Memo[attempts], log *slog.Logger) error {
	if memo.Value == nil {
		memo.Value = attempts{}
	}
	var parts []kopf.Sub
	for _, parcel := range spec.Parcels {
		parts = append(parts, kopf.Sub{
			ID:    parcel,
			Value: parcel,
			Run: func(context.Context) (any, error) {
				memo.Value[parcel]++
				log.Info("sending", "parcel", parcel)
				if parcel == "heavy" && memo.Value[parcel] == 1 {
					return nil, kopf.Temporary(errors.New("nobody can lift it"), time.Second)
				}
				return Receipt{Parcel: parcel, Attempts: memo.Value[parcel]}, nil
			},
		})
	}
	return kopf.Execute(ctx, parts...)
}
