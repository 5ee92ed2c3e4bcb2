package main

import (
	"os"
	"testing"

	"github.com/kopfgen/kopfgen/internal/exampletest"
)

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }

func TestLifeOfAShop(t *testing.T) {
	stage := exampletest.New(t)
	op := stage.Run(Operator())

	corner := stage.Apply("object.yaml")["corner"]
	corner.Until("it is open", `
metadata: {finalizers: [kopf.zalando.org/KopfFinalizerMarker]}
status: {sign: open 9 to 5, hired: 2, seen: 1}
handled: {spec: {hours: 9 to 5}}
progress: null`)

	corner.Patch(`spec: {hours: 8 to 6}`)
	corner.Until("the sign is painted", `
status: {sign: open 8 to 6, hired: 2, seen: 1}
handled: {spec: {hours: 8 to 6}}
progress: null`)

	corner.Patch(`spec: {staff: [ann, bob, cleo]}`)
	corner.Until("somebody is hired", `
status: {sign: open 8 to 6, hired: 3, seen: 1}
handled: {spec: {staff: [ann, bob, cleo]}}
progress: null`)

	op.Stop()
	for part, want := range map[string]int{
		`msg="coming by" object.name=corner handler=visit because=create`: 1,
		"msg=changed": 2,
		`what="~ spec.hours: \"9 to 5\" -> \"8 to 6\""`:                        1,
		`what="~ spec.staff: [\"ann\",\"bob\"] -> [\"ann\",\"bob\",\"cleo\"]"`: 1,
		"painting the sign":         1,
		`old="9 to 5" new="8 to 6"`: 1,
	} {
		if got := len(op.Lines(part)); got != want {
			t.Errorf("the log has %d lines with %s, want %d", got, part, want)
		}
	}
}

func TestRestart(t *testing.T) {
	stage := exampletest.New(t)
	first := stage.Run(Operator())
	corner := stage.Apply("object.yaml")["corner"]
	corner.Until("it is open", `{status: {seen: 1}, handled: {spec: {hours: 9 to 5}}, progress: null}`)
	first.Stop()

	// Nothing has changed: only the handler of resuming runs.
	second := stage.Run(Operator())
	corner.Until("somebody came by again", `{status: {sign: open 9 to 5, hired: 2, seen: 2}, progress: null}`)
	second.UntilLines(1, "coming by", "because=resume")
	second.Stop()
	if lines := second.Lines("msg=changed"); len(lines) > 0 {
		t.Errorf("a restart was taken for a change: %v", lines)
	}

	// A change that nobody saw is found by what was handled last.
	corner.Patch(`spec: {hours: never}`)
	third := stage.Run(Operator())
	corner.Until("the sign is painted", `{status: {sign: open never, seen: 3}, handled: {spec: {hours: never}}, progress: null}`)
	third.UntilLines(1, "painting the sign", `old="9 to 5" new=never`)

	// An object that is deleted while nobody is there waits.
	third.Stop()
	corner.Delete()
	corner.Until("it waits for its operator", `metadata: {finalizers: [kopf.zalando.org/KopfFinalizerMarker], deletionGracePeriodSeconds: 0}`)
	fourth := stage.Run(Operator())
	corner.UntilGone()
	fourth.UntilLines(1, "closing for ever", "shop=corner")
	fourth.Stop()
	if lines := fourth.Lines("coming by"); len(lines) > 0 {
		t.Errorf("somebody came by a shop that is being closed: %v", lines)
	}
}
