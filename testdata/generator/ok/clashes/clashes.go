// Package clashes takes every name that generated code would like to have.
//
// +groupName=clashes.kopf.dev
// +versionName=v1
// +kopf:operator=clashes
package clashes

import (
	"context"
	handlers2 "log/slog"

	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	h "github.com/kopfgen/kopfgen/runtime"
)

//go:generate go tool kopfgen

// Thing is a thing.
type Thing struct {
	v1.TypeMeta   `json:",inline"`
	v1.ObjectMeta `json:"metadata,omitempty"`

	Spec operator `json:"spec"`
}

type operator struct {
	Time int `json:"time"`
	V    int `json:"v"`
}

type (
	handlers struct{}
	takeView struct{}
	kopf     = context.Context
	metav1   int
	ctx      string
	c        string
	s        string
	err      int
	time     int
)

var types, dynamic, v, ok, old int

type args struct {
	Time  int    `kopf:"spec.time"`
	Name  string `kopf:"name"`
	V     *int   `kopf:"spec.v"`
	Ctx   string `kopf:"label=ctx"`
	Range string `kopf:"label=range"`
}

// Take takes.
//
// +kopf:on=create,timeout=1m
func Take(ctx kopf, a args, log *handlers2.Logger, meta v1.ObjectMeta) error { return nil }

// take has nearly the same name.
//
// +kopf:on=update,id=take2
func take(spec operator, diff h.Diff) {}

// c2 has the name of a number two.
//
// +kopf:on=create
func c2(ctx context.Context, name string) {}
