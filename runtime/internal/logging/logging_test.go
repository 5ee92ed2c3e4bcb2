package logging

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"testing"
)

func TestFormats(t *testing.T) {
	ref := Reference{APIVersion: "demo.kopf.dev/v1", Kind: "Greeter", Name: "ann", Namespace: "ns", UID: "u1"}
	write := func(f Format) string {
		var b bytes.Buffer
		l := New(&b, f, slog.LevelInfo)
		l.Debug("too quiet to be seen")
		l = l.With(Object(ref), slog.String("handler", "greet"))
		l.Warn("a\ntry failed", "error", errors.New(`not "ready" yet`), slog.Group("try", "retry", 2, "empty", ""))
		return b.String()
	}

	full := regexp.MustCompile(`^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\] kopf.objects         \[WARNING \] \[ns/ann\] a
try failed handler=greet error="not \\"ready\\" yet" try.retry=2 try.empty=""
$`)
	if got := write(Full); !full.MatchString(got) {
		t.Errorf("full: %q", got)
	}
	if got, want := write(Plain), "[ns/ann] a\ntry failed handler=greet error=\"not \\\"ready\\\" yet\" try.retry=2 try.empty=\"\"\n"; got != want {
		t.Errorf("plain: %q, want %q", got, want)
	}

	var record struct {
		Message, Severity, Timestamp, Handler string
		Object                                map[string]string
	}
	if err := json.Unmarshal([]byte(write(JSON)), &record); err != nil {
		t.Fatal(err)
	}
	if record.Message != "a\ntry failed" || record.Severity != "warn" || record.Timestamp == "" || record.Handler != "greet" ||
		record.Object["namespace"] != "ns" || record.Object["apiVersion"] != "demo.kopf.dev/v1" || len(record.Object) != 5 {
		t.Errorf("json: %+v", record)
	}
}

func TestParseFormat(t *testing.T) {
	for name, want := range map[string]Format{"full": Full, "text": Full, "JSON": JSON, "plain": Plain} {
		if got, err := ParseFormat(name); err != nil || got != want {
			t.Errorf("ParseFormat(%q) = %q, %v", name, got, err)
		}
	}
	if _, err := ParseFormat("xml"); err == nil || !strings.Contains(err.Error(), "full, plain or json") {
		t.Errorf("ParseFormat(xml): %v", err)
	}
}

func TestAtLeast(t *testing.T) {
	var b bytes.Buffer
	own := New(&b, Plain, slog.LevelDebug)
	library := AtLeast(own, slog.LevelInfo).With("from", "library").WithGroup("of")
	library.Debug("a detail of a library")
	library.Info("a word of a library", "n", 1)
	own.Debug("a detail of ours")
	if got, want := b.String(), "a word of a library from=library of.n=1\na detail of ours\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
