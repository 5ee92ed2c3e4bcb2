// Package main shows an operator whose objects have children: a theatre plays several pieces, and has a programme for each.
//
// +groupName=demo.kopf.dev
// +versionName=v1
package main

import (
	"context"
	"crypto/rand"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/children"
	"github.com/kopfgen/kopfgen/runtime/conditions"
)

//go:generate go tool kopfgen

// Theatre is a house with a repertoire.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Theatre struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TheatreSpec   `json:"spec"`
	Status TheatreStatus `json:"status,omitempty"`
}

// TheatreSpec says what is played.
type TheatreSpec struct {
	// Plays are the pieces, and what is written about each.
	Plays map[string]string `json:"plays,omitempty"`
}

// TheatreStatus says how the house is doing.
type TheatreStatus struct {
	// Conditions has Ready.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Connect makes the client that all handlers share. Its name owns the fields that they apply.
//
// +kopf:on=startup
func Connect(cfg *rest.Config) (*children.Client, error) {
	return children.NewForConfig(cfg, "theatres")
}

// Stage keeps the children of a theatre as they should be. Whether it is new, has changed, or was found when the operator started, is all
// the same to it.
//
// +kopf:on=create;update;resume
func Stage(ctx context.Context, theatre *Theatre, client *children.Client) error {
	// Made once: the code stays what it is, however often this is called.
	if _, _, err := children.Create(ctx, client, theatre, doorCode(theatre)); err != nil {
		return err
	}

	// A programme for each play, and none for those that are no longer given.
	programmes := programmesOf(theatre)
	for _, programme := range programmes {
		if _, _, err := children.Apply(ctx, client, theatre, programme); err != nil {
			return err
		}
	}
	if _, err := children.Prune(ctx, client, theatre, corev1.SchemeGroupVersion.WithKind("ConfigMap"), "play", programmes); err != nil {
		return err
	}

	ready := conditions.Ready.True("Playing", "")
	if len(programmes) == 0 {
		ready = conditions.Ready.False("Dark", "nothing is played")
	}
	_, err := conditions.Set(&theatre.Status.Conditions, theatre.Generation, ready)
	return err
}

// doorCode makes the Secret of a theatre. It is named after its owner, as it has no name of its own.
func doorCode(theatre *Theatre) *corev1.Secret {
	return &corev1.Secret{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		Data:     map[string][]byte{"code": []byte(rand.Text())},
	}
}

// programmesOf describes a ConfigMap for each play.
func programmesOf(theatre *Theatre) []*corev1.ConfigMap {
	var all []*corev1.ConfigMap
	for play, text := range theatre.Spec.Plays {
		all = append(all, &corev1.ConfigMap{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
			ObjectMeta: metav1.ObjectMeta{Name: theatre.Name + "-" + play, Labels: map[string]string{"play": play}},
			Data:       map[string]string{"text": text},
		})
	}
	return all
}
