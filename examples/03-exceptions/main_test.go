package main

import (
	"os"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/internal/exampletest"
)

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }

func TestErrorsMeanDifferentThings(t *testing.T) {
	stage := exampletest.New(t)
	op := stage.Run(Operator())
	backups := stage.Apply("object.yaml")

	orders := backups["orders"]
	orders.Until("the first attempts are recorded", `
progress:
  check: {success: true, failure: false, retries: 1}
  copy: {success: false, failure: false, retries: 1, message: the volume is busy}
  upload: {success: false, failure: false, retries: 1, message: the archive does not answer}
  settle: {success: false, failure: false, retries: 0}
  announce: {success: true, failure: false, retries: 1}`)
	orders.Until("the upload is given up after three attempts", `
progress:
  upload: {success: false, failure: true, retries: 3, message: "exceeded 3 retries: the archive does not answer"}`)
	orders.Until("the copy has succeeded at its third attempt, and all else is done", `
status: {copy: {volume: orders-db, attempts: 3}, check: null, upload: null, settle: null, announce: null}
handled: {spec: {volume: orders-db, keep: 7}}
progress: null`)

	hasty := backups["hasty"]
	hasty.Until("the check is given up at once", `
progress:
  check: {success: false, failure: true, retries: 1, message: a backup must be kept for at least a day}
  copy: {success: false, failure: false, retries: 1}`)
	hasty.Until("a failure keeps nobody else from being done", `
status: {copy: {volume: scratch, attempts: 3}, check: null}
progress: null`)
	if lines := op.Lines("the backup is in order", "object.name=hasty"); len(lines) > 0 {
		t.Errorf("a check that was given up went on: %v", lines)
	}
	hasty.Patch(`spec: {keep: 1}`)
	hasty.Until("the change is handled", `{handled: {spec: {keep: 1}}, progress: null}`)
	op.UntilLines(1, "the backup is in order", "object.name=hasty", "days=1")

	op.Stop()
	attempts := op.Lines("msg=uploading", "object.name=orders")
	if len(attempts) != 3 {
		t.Fatalf("%d attempts of the upload, want 3: %v", len(attempts), attempts)
	}
	for i, attempt := range attempts[1:] {
		if pause := attempt.At.Sub(attempts[i].At); pause < 500*time.Millisecond {
			t.Errorf("attempt %d of the upload came after %v, want half a second at least", i+2, pause)
		}
	}
	if lines := op.Lines("nobody listens", "object.name=orders"); len(lines) != 1 {
		t.Errorf("an error that is ignored was logged %d times, want once", len(lines))
	}
	for _, level := range []string{"level=WARN", "level=ERROR"} {
		if lines := op.Lines(level, "handler=settle"); len(lines) > 0 {
			t.Errorf("waiting was taken for a failure: %v", lines)
		}
	}
}
