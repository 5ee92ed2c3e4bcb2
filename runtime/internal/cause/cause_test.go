package cause

import (
	"testing"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Input
		want Cause
	}{
		{"released by us", Input{Deleting: true, Handled: true, Changed: true}, Cause{Kind: Free}},
		{"deleting", Input{Deleting: true, Blocked: true, Handled: true, Changed: true}, Cause{Change, kopf.ReasonDelete, false}},
		{"deleting what was never handled", Input{Deleting: true, Blocked: true}, Cause{Change, kopf.ReasonDelete, false}},
		{"found deleting", Input{Deleting: true, Blocked: true, Handled: true, Initial: true}, Cause{Change, kopf.ReasonDelete, true}},
		{"new", Input{}, Cause{Change, kopf.ReasonCreate, false}},
		{"new, with our finalizer", Input{Blocked: true, Changed: true}, Cause{Change, kopf.ReasonCreate, false}},
		{"found unhandled", Input{Initial: true}, Cause{Change, kopf.ReasonCreate, false}},
		{"found unchanged", Input{Handled: true, Initial: true}, Cause{Change, kopf.ReasonResume, true}},
		{"changed", Input{Handled: true, Changed: true}, Cause{Change, kopf.ReasonUpdate, false}},
		{"changed while we were away", Input{Handled: true, Changed: true, Initial: true}, Cause{Change, kopf.ReasonUpdate, true}},
		{"nothing", Input{Handled: true, Blocked: true}, Cause{Kind: Noop}},
	} {
		if got := Detect(c.in); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// The rules that hold whatever the input.
func TestDetectAnything(t *testing.T) {
	for bits := range 1 << 5 {
		in := Input{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0, bits&16 != 0}
		got := Detect(in)
		if (got.Kind == Change) != (got.Reason != "") {
			t.Errorf("%+v: a reason without a change, or the reverse: %+v", in, got)
		}
		if got.Initial && (got.Kind != Change || !in.Initial || got.Reason == kopf.ReasonCreate) {
			t.Errorf("%+v: resume handlers take part in %+v", in, got)
		}
		if got.Reason == kopf.ReasonDelete != (in.Deleting && in.Blocked) {
			t.Errorf("%+v: %+v", in, got)
		}
		if got.Kind == Noop && in.Changed {
			t.Errorf("%+v is unfinished and left alone", in)
		}
	}
}

func TestKindsHaveNames(t *testing.T) {
	for kind, want := range map[Kind]string{Noop: "noop", Change: "change", Free: "free"} {
		if kind.String() != want {
			t.Errorf("%d is %q", kind, kind)
		}
	}
}
