package main

import (
	"os"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/internal/exampletest"
)

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }

// sent is what the status says when every parcel is sent.
const sent = `
status:
  send/spec.parcels/small: {parcel: small, van: KG 07, attempts: 1}
  send/spec.parcels/heavy: {parcel: heavy, van: KG 07, attempts: 2}
  send/spec.parcels/fragile: {parcel: fragile, van: KG 07, attempts: 1}
  send/spec.parcels/report: {lost: null}
handled: {spec: {parcels: [small, heavy, fragile]}}
progress: null`

func TestOnlyTheHeavyParcelIsRetried(t *testing.T) {
	stage := exampletest.New(t)
	op := stage.Run(Operator())

	spring := stage.Apply("object.yaml")["spring"]
	spring.Until("all but the heavy parcel are sent", `
status:
  send/spec.parcels/small: {parcel: small, van: KG 07, attempts: 1}
  send/spec.parcels/heavy: null
  send/spec.parcels/fragile: {parcel: fragile, van: KG 07, attempts: 1}
progress:
  send.spec.parcels: {success: false, failure: false, subrefs: [send/spec.parcels/fragile, send/spec.parcels/heavy, send/spec.parcels/report, send/spec.parcels/small, send/spec.parcels/van]}
  send.spec.parcels.van: {success: true, retries: 1}
  send.spec.parcels.small: {success: true, retries: 1}
  send.spec.parcels.heavy: {success: false, failure: false, retries: 1, message: nobody can lift it}
  send.spec.parcels.fragile: {success: true, retries: 1}
  send.spec.parcels.report: {success: false, failure: false, retries: 0}`)
	spring.Until("all are sent", sent)
	op.Stop()

	for parcel, want := range map[string]int{"small": 1, "heavy": 2, "fragile": 1} {
		if got := len(op.Lines("msg=sending", "parcel="+parcel)); got != want {
			t.Errorf("the %s parcel was sent %d times, want %d", parcel, got, want)
		}
	}
	heavy := op.Lines("msg=sending", "parcel=heavy")
	if pause := heavy[len(heavy)-1].At.Sub(heavy[0].At); pause < time.Second {
		t.Errorf("the heavy parcel was tried again after %v, want a second at least", pause)
	}
	fragile := op.Lines("msg=sending", "parcel=fragile")
	if !fragile[0].At.Before(heavy[len(heavy)-1].At) {
		t.Error("the fragile parcel waited for the heavy one")
	}
}

func TestNoParcelIsSentTwiceAfterARestart(t *testing.T) {
	stage := exampletest.New(t)
	first := stage.Run(Operator())
	spring := stage.Apply("object.yaml")["spring"]
	spring.Until("some are sent", `progress: {send.spec.parcels.small: {success: true}, send.spec.parcels.fragile: {success: true}}`)
	first.Stop()

	second := stage.Run(Operator())
	spring.Until("all are sent", sent)
	second.Stop()
	for _, parcel := range []string{"small", "fragile"} {
		if lines := second.Lines("msg=sending", "parcel="+parcel); len(lines) > 0 {
			t.Errorf("the %s parcel was sent again: %v", parcel, lines)
		}
	}
}

func TestTheReportComesLastAndKnowsWhatFailed(t *testing.T) {
	stage := exampletest.New(t)
	op := stage.Run(Operator())
	autumn := stage.Apply("object.yaml")["autumn"]
	autumn.Until("the report is there", `
status:
  send/spec.parcels/cursed: null
  send/spec.parcels/letter: {parcel: letter, van: KG 07, attempts: 1}
  send/spec.parcels/report: {lost: [cursed]}
progress: null`)

	autumn.Patch(`spec: {parcels: [letter, cursed, late]}`)
	autumn.Until("the new parcel is sent", `
status: {send/spec.parcels/late: {parcel: late, van: KG 07, attempts: 1}}
progress: null`)
	op.Stop()
	for parcel, want := range map[string]int{"letter": 1, "cursed": 1, "late": 1} {
		if got := len(op.Lines("msg=sending", "parcel="+parcel)); got != want {
			t.Errorf("the %s parcel was sent %d times, want %d", parcel, got, want)
		}
	}
}
