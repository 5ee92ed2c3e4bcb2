package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/internal/exampletest"
)

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }

func TestADayAtTheClinic(t *testing.T) {
	stage := exampletest.New(t)
	patients := stage.Apply("object.yaml")
	op := stage.Run(Operator())

	// The two that were there before the clinic opened get the two beds.
	patients["ann"].Until("she is admitted", `{status: {admit: a bed for a cough}, progress: null}`)
	patients["bob"].Until("he is admitted", `{status: {admit: a bed for a broken leg}, progress: null}`)

	// The third waits, until one of them goes.
	cleo := stage.Apply("late.yaml")["cleo"]
	cleo.Until("she waits", `{status: null, progress: {admit: {success: false, failure: false, retries: 0}}}`)
	patients["ann"].Delete()
	patients["ann"].UntilGone()
	cleo.Until("she is admitted", `{status: {admit: a bed for a headache}, progress: null}`)
	op.Stop()

	late := op.UntilLines(1, "the doctor is late")
	open := op.UntilLines(1, "the clinic is open", "beds=2")
	taken := op.UntilLines(3, "a bed is taken")
	again := op.UntilLines(1, "a bed is free again", "object.name=ann", "free=1")
	if len(late) != 1 || len(open) != 1 || len(taken) != 3 || len(again) != 1 {
		t.Errorf("late %d times, opened %d times, took %d beds, freed %d; want 1, 1, 3, 1", len(late), len(open), len(taken), len(again))
	}
	if pause := open[0].At.Sub(late[0].At); pause < time.Second {
		t.Errorf("the clinic opened %v after the first attempt, want a second at least", pause)
	}
	if !open[0].At.Before(taken[0].At) || !again[0].At.Before(taken[2].At) {
		t.Error("a bed was taken before there was one")
	}
	// The grace period is what a startup handler has set it to.
	if lines := op.Lines("stopping", "within=5s"); len(lines) != 1 {
		t.Errorf("the log has %d lines about the end with the grace period of Configure, want 1", len(lines))
	}
	lines := op.Lines()
	if last := lines[len(lines)-1].Text; !strings.Contains(last, "the clinic is closed") || !strings.Contains(last, "free=0") {
		t.Errorf("the last line is %q, want the one of Close", last)
	}
}
