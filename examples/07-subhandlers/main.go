// Package main sends parcels: one sub-handler for each, with progress of its own, between one that comes first and one that comes last.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"
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

// Van is what the parcels go with.
type Van struct {
	Plate string `json:"plate"`
}

// Receipt is what comes of sending a parcel.
type Receipt struct {
	Parcel   string `json:"parcel"`
	Van      string `json:"van"`
	Attempts int    `json:"attempts"`
}

// Report says what became of the whole.
type Report struct {
	Lost []string `json:"lost,omitempty"`
}

// Send books a van, sends every parcel that was not sent before, and gives the van back. A parcel that is sent is not sent again, however
// often the others have to be tried, and not after a restart either.
//
// +kopf:on=create;update,field=spec.parcels
func Send(ctx context.Context, old, new []string, log *slog.Logger) error {
	steps := []kopf.Sub{{ID: "van", Required: true, Run: book}}
	for _, name := range new {
		p := parcel{name, log}
		steps = append(steps, kopf.Sub{ID: name, Value: name, Skip: slices.Contains(old, name), After: []string{"van"}, Run: p.send})
	}
	steps = append(steps, kopf.Sub{ID: "report", Always: true, Run: report})
	return kopf.Execute(ctx, steps...)
}

func book(context.Context) (any, error) { return Van{Plate: "KG 07"}, nil }

// parcel is a sub-handler with state.
type parcel struct {
	name string
	log  *slog.Logger
}

func (p parcel) send(ctx context.Context) (any, error) {
	var van Van
	if err := kopf.Siblings(ctx).Find("van").Result.Decode(&van); err != nil {
		return nil, err
	}
	retry := kopf.CurrentAttempt(ctx).Retry
	p.log.Info("sending", "parcel", p.name, "van", van.Plate)
	switch {
	case p.name == "heavy" && retry == 0:
		return nil, kopf.Temporary(errors.New("nobody can lift it"), time.Second)
	case p.name == "cursed":
		return nil, kopf.Permanent(errors.New("it has vanished"))
	}
	return Receipt{Parcel: p.name, Van: van.Plate, Attempts: retry + 1}, nil
}

// report comes last, whatever has failed before it.
func report(ctx context.Context) (any, error) {
	var r Report
	for _, part := range kopf.Siblings(ctx).Failed() {
		r.Lost = append(r.Lost, part.ID)
	}
	return r, nil
}
