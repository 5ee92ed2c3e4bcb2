// Package main takes orders, waits for their payment, and is tested in virtual time.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package main

import (
	"errors"
	"log/slog"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

// Order is something that somebody wants to have.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Order struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec OrderSpec `json:"spec"`
}

// OrderSpec says what is ordered, and what has been done for it.
type OrderSpec struct {
	// Item is what is ordered.
	Item string `json:"item"`
	// Pieces is how many of it.
	//
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	Pieces int `json:"pieces,omitempty"`
	// Paid is set by whoever sees the money.
	Paid bool `json:"paid,omitempty"`
}

// Reservation is what is put aside in the stock.
type Reservation struct {
	Pieces   int `json:"pieces"`
	Attempts int `json:"attempts"`
}

// Reserve puts the pieces aside. The stock is counted at night and does not answer then: it is tried again every ten minutes, six times.
//
// +kopf:on=create,retries=6,backoff=10m
func Reserve(spec OrderSpec, stock *Stock, retry int) (Reservation, error) {
	if err := stock.Take(spec.Pieces); err != nil {
		return Reservation{}, err
	}
	return Reservation{Pieces: spec.Pieces, Attempts: retry + 1}, nil
}

// Payment waits for the money, and looks every hour. An order that is not paid within three days is given up.
//
// +kopf:on=create,timeout=72h
func Payment(spec OrderSpec, log *slog.Logger) (string, error) {
	if !spec.Paid {
		return "", kopf.Wait(time.Hour)
	}
	log.Info("the order is paid")
	return "received", nil
}

// Cancel puts the pieces back before the order goes, as soon as the stock answers.
//
// +kopf:on=delete,backoff=10m
func Cancel(spec OrderSpec, stock *Stock) error { return stock.Put(spec.Pieces) }

// errCounting is what the stock says at night.
var errCounting = errors.New("the stock is being counted")
