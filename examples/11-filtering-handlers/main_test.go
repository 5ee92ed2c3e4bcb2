package main

import (
	"os"
	"testing"

	"github.com/kopfgen/kopfgen/internal/exampletest"
)

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }

func TestStamps(t *testing.T) {
	stage := exampletest.New(t)
	op := stage.Run(Operator())
	letters := stage.Apply("object.yaml")

	// Each letter has exactly these stamps when it is handled; a list must be equal, in order.
	for name, stamps := range map[string]string{
		"local":       "[label]",
		"telegram":    "[annotation]",
		"manuscript":  "[function]",
		"foreign":     "[condition]",
		"love-letter": "[label, annotation, name, value, function, condition]",
	} {
		letters[name].Until("it has its stamps", `{handled: {spec: {}}, progress: null, status: {stamps: `+stamps+`}}`)
	}

	// The class of a letter changes as no handler is for, rises, and goes.
	telegram := letters["telegram"]
	telegram.Patch(`spec: {class: second}`)
	telegram.Until("the change is seen", `{handled: {spec: {class: second}}, progress: null, status: {stamps: [annotation]}}`)
	telegram.Patch(`spec: {class: first}`)
	telegram.Until("it is upgraded", `{handled: {spec: {class: first}}, progress: null, status: {stamps: [annotation, upgrade]}}`)
	telegram.Patch(`spec: {class: null}`)
	telegram.Until("it has lost its class", `
handled: {spec: {class: null}}
progress: null
status: {stamps: [annotation, upgrade, loss of first]}`)
	local := letters["local"]
	local.Patch(`spec: {class: first}`)
	local.Until("it is upgraded from nothing", `{handled: {spec: {class: first}}, progress: null, status: {stamps: [label, upgrade]}}`)
	love := letters["love-letter"]
	love.Patch(`spec: {to: nobody}`)
	love.Until("a change of another field stamps nothing", `
handled: {spec: {to: nobody}}
progress: null
status: {stamps: [label, annotation, name, value, function, condition]}`)
	op.Stop()

	// Letters that no handler is for are left alone: no stamp, no annotation, no line in the log.
	for _, name := range []string{"plain", "astray", "leaflet", "consular"} {
		if letters[name].Ever(`status: {}`) || letters[name].Ever(`handled: {}`) || letters[name].Ever(`progress: {}`) {
			t.Errorf("the operator has written to %s", name)
		}
		if lines := op.Lines("object.name=" + name); len(lines) > 0 {
			t.Errorf("the operator talks about %s: %v", name, lines)
		}
	}
}
