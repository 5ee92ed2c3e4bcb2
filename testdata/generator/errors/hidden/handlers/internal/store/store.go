// Package store can be imported by handlers only.
package store

import "time"

type (
	Store struct{}
	Memo  struct{}
	Size  int32
)

type Spec struct {
	Size Size `json:"size"`
}

// Pause is a constant, of which generated code writes the value.
const Pause = time.Second

var Limit = 3

func Wanted(name string) bool { return name != "" }

// +kopf:on=startup
func Start() {}
