package main

import (
	"errors"
	"log/slog"
	"os"
	"testing"

	"github.com/kopfgen/kopfgen/internal/exampletest"
	kopf "github.com/kopfgen/kopfgen/runtime"
)

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }

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

// The operator is what the generator made of them.
func TestLifeOfAGreeter(t *testing.T) {
	stage := exampletest.New(t)
	op := stage.Run(Operator())

	world := stage.Apply("object.yaml")["world"]
	world.Until("it is greeted and that is remembered", `
metadata: {finalizers: [kopf.zalando.org/KopfFinalizerMarker]}
status: {greet: {text: "hello, world"}}
handled: {spec: {who: world, language: en}}
progress: null`)

	world.Patch(`spec: {language: la}`)
	world.Until("it is greeted in Latin", `
status: {greet: {text: "salve, world"}, regreet: null}
handled: {spec: {who: world, language: la}}
progress: null`)
	op.UntilLines(1, `changed: ~ spec.language: \"en\" -> \"la\"`, "object.name=world", "handler=regreet")

	world.Delete()
	world.UntilGone()
	op.Stop()
	for part, want := range map[string]int{`msg="hello, world"`: 1, `msg="farewell, world"`: 1, "level=ERROR": 0, "level=WARN": 0} {
		if got := len(op.Lines(part)); got != want {
			t.Errorf("the log has %d lines with %s, want %d", got, part, want)
		}
	}
}
