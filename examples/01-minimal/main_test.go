package main

import (
	"errors"
	"log/slog"
	"testing"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// Handlers are plain functions, and are tested as such.
func TestGreet(t *testing.T) {
	got, err := Greet(GreeterSpec{Who: "munde", Language: "la"}, "world", slog.New(slog.DiscardHandler))
	if err != nil || got.Text != "salve, munde" {
		t.Errorf("got %q, %v", got.Text, err)
	}
	_, err = Greet(GreeterSpec{Who: "world", Language: "xx"}, "world", slog.New(slog.DiscardHandler))
	var permanent *kopf.PermanentError
	if !errors.As(err, &permanent) {
		t.Errorf("got %v, want an error that is not retried", err)
	}
}
