package main

import (
	"os"
	"testing"

	"github.com/kopfgen/kopfgen/internal/exampletest"
)

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }

// Descriptions of children are plain functions, and are tested without a cluster.
func TestProgrammes(t *testing.T) {
	theatre := &Theatre{Spec: TheatreSpec{Plays: map[string]string{"hamlet": "long"}}}
	theatre.Name = "globe"
	all := programmesOf(theatre)
	if len(all) != 1 || all[0].Name != "globe-hamlet" || all[0].Data["text"] != "long" {
		t.Errorf("got %+v", all)
	}
}

func TestLifeOfATheatre(t *testing.T) {
	stage := exampletest.New(t)
	op := stage.Run(Operator())
	globe := stage.Apply("object.yaml")["globe"]
	hamlet := stage.Follow("v1", "ConfigMap", "globe-hamlet")
	macbeth := stage.Follow("v1", "ConfigMap", "globe-macbeth")
	code := stage.Follow("v1", "Secret", "globe")

	const owned = `ownerReferences: [{apiVersion: demo.kopf.dev/v1, kind: Theatre, name: globe, controller: true, blockOwnerDeletion: true}]`
	hamlet.Until("it is there, with its owner's labels and its own", `
metadata: {labels: {city: london, play: hamlet}, `+owned+`}
data: {text: "A prince thinks twice."}`)
	macbeth.Until("it is there", `data: {text: "A thane does not."}`)
	code.Until("it is there", `metadata: {`+owned+`}`)
	globe.Until("it is ready", `
status: {conditions: [{type: Ready, status: "True", reason: Playing, observedGeneration: 1}]}
progress: null`)

	// A play goes and another one is written about anew: one programme is removed, one changed, and the code stays.
	globe.Patch(`spec: {plays: {macbeth: null, hamlet: "A prince thinks thrice."}}`)
	macbeth.UntilGone()
	hamlet.Until("it is rewritten", `data: {text: "A prince thinks thrice."}`)
	globe.Patch(`spec: {plays: null}`)
	hamlet.UntilGone()
	globe.Until("it is dark", `
status: {conditions: [{type: Ready, status: "False", reason: Dark, message: nothing is played}]}
progress: null`)
	if code.States() != 1 {
		t.Errorf("the code has had %d states, want 1", code.States())
	}

	// Children go with their owner: that is Kubernetes' work, and needs no handler.
	globe.Delete()
	globe.UntilGone()
	code.UntilGone()
	op.Stop()
}
