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
		"plain":       "null",
		"local":       "[label]",
		"astray":      "null",
		"telegram":    "[annotation]",
		"manuscript":  "[function]",
		"leaflet":     "null",
		"foreign":     "[condition]",
		"consular":    "null",
		"bill":        "null",
		"love-letter": "[label, annotation, name, value, function, condition]",
	} {
		letters[name].Until("it has its stamps", `{handled: {spec: {}}, progress: null, status: {stamps: `+stamps+`}}`)
	}

	// The class of a letter rises, rises further, goes; and that of another does what no handler is for.
	bill, plain, love := letters["bill"], letters["plain"], letters["love-letter"]
	bill.Patch(`spec: {class: third}`)
	bill.Until("the change is seen", `{handled: {spec: {class: third}}, progress: null, status: {stamps: null}}`)
	bill.Patch(`spec: {class: first}`)
	bill.Until("it is upgraded", `{handled: {spec: {class: first}}, progress: null, status: {stamps: [upgrade]}}`)
	bill.Patch(`spec: {class: null}`)
	bill.Until("it lost its class", `{handled: {spec: {class: null}}, progress: null, status: {stamps: [upgrade, loss of first]}}`)
	plain.Patch(`spec: {class: first}`)
	plain.Until("it is upgraded from nothing", `{handled: {spec: {class: first}}, progress: null, status: {stamps: [upgrade]}}`)
	love.Patch(`spec: {to: nobody}`)
	love.Until("a change of another field stamps nothing", `
handled: {spec: {to: nobody}}
progress: null
status: {stamps: [label, annotation, name, value, function, condition]}`)
	op.Stop()
}
