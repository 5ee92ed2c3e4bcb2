package diagnostic_test

import (
	"errors"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

func at(file string, line, column int) token.Position {
	return token.Position{Filename: file, Line: line, Column: column}
}

func TestDiagnosticError(t *testing.T) {
	tests := []struct {
		name string
		in   diagnostic.Diagnostic
		want string
	}{
		{"full", diagnostic.Diagnostic{Pos: at("h.go", 3, 9), Code: "KG012", Message: "unknown argument", Hint: "did you mean x?"},
			"h.go:3:9: unknown argument (KG012)\n\tdid you mean x?"},
		{"bare", diagnostic.Diagnostic{Pos: at("h.go", 3, 9), Message: "odd"}, "h.go:3:9: odd"},
		{"warning", diagnostic.Diagnostic{Pos: at("h.go", 3, 9), Message: "odd", Warning: true}, "h.go:3:9: warning: odd"},
		{"nowhere", diagnostic.Diagnostic{Message: "odd"}, "-: odd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.Error(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestListSortsAndDeduplicates(t *testing.T) {
	var l diagnostic.List
	l.Addf(at("b.go", 1, 1), "KG001", "", "m")
	l.Addf(at("a.go", 10, 1), "KG001", "", "m")
	l.Addf(at("a.go", 9, 2), "KG002", "", "m")
	l.Addf(at("a.go", 9, 2), "KG001", "", "m%d", 2)
	l.Addf(at("a.go", 9, 2), "KG001", "h", "m1")
	l.Addf(at("a.go", 10, 1), "KG001", "", "m")
	l.Add(diagnostic.Diagnostic{Pos: at("a.go", 1, 1), Message: "w", Warning: true})

	want := []string{
		"a.go:1:1: warning: w", "a.go:9:2: m1 (KG001)\n\th", "a.go:9:2: m2 (KG001)", "a.go:9:2: m (KG002)",
		"a.go:10:1: m (KG001)", "b.go:1:1: m (KG001)",
	}
	var got []string
	for _, d := range l.Sorted() {
		got = append(got, d.Error())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Sorted (-want +got):\n%s", diff)
	}
	if l.Len() != 7 {
		t.Errorf("Len: %d, want 7", l.Len())
	}

	err := l.Err()
	if want := strings.Join(want[1:], "\n"); err == nil || err.Error() != want {
		t.Errorf("Err: %v, want %s", err, want)
	}
	var first diagnostic.Diagnostic
	if !errors.As(err, &first) || first.Hint != "h" {
		t.Errorf("errors.As found %+v", first)
	}
}

func TestErrIsNilWithoutErrors(t *testing.T) {
	var l diagnostic.List
	l.Add(diagnostic.Diagnostic{Message: "w", Warning: true})
	if err := l.Err(); err != nil {
		t.Errorf("Err: %v", err)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"retries", "timeout", "backoff", "labels", "on", "id"}
	tests := []struct{ word, want string }{
		{"retires", "retries"}, {"retry", "retries"}, {"ret", ""}, {"Retries", "retries"}, {"timeOut", "timeout"}, {"label", "labels"},
		{"om", "on"}, {"xy", ""}, {"", ""}, {"backof", "backoff"}, {"annotations", ""},
	}
	for _, tt := range tests {
		if got := diagnostic.Nearest(tt.word, words); got != tt.want {
			t.Errorf("Nearest(%q): %q, want %q", tt.word, got, tt.want)
		}
	}
	if got, want := diagnostic.DidYouMean("om", words), `did you mean "on"?`; got != want {
		t.Errorf("DidYouMean: %q, want %q", got, want)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"kopf", "kpof", 1}, {"kopf", "koopf", 1}, {"kitten", "sitting", 3}, {"größe", "grösse", 2},
	}
	for _, tt := range tests {
		if got := diagnostic.Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q): %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := diagnostic.Distance(tt.b, tt.a); got != tt.want {
			t.Errorf("Distance(%q, %q): %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}

func TestCheck(t *testing.T) {
	good := diagnostic.Table{{"KG001", "one", "First."}, {"KG002", "two", "Second."}}
	tests := []struct {
		name   string
		tables []diagnostic.Table
		want   string
	}{
		{"good", []diagnostic.Table{good, {{"KG040", "x", "X."}}}, ""},
		{"twice", []diagnostic.Table{good, {{"KG002", "x", "X."}}}, `code KG002: declared as "two" and as "x"`},
		{"malformed", []diagnostic.Table{{{"KG1", "x", "X."}}}, `code "KG1": not KG and three digits`},
		{"undocumented", []diagnostic.Table{{{"KG003", "x", ""}}}, "code KG003: no title or no explanation"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := diagnostic.Check(tt.tables...); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReferenceIsSorted(t *testing.T) {
	got := diagnostic.Reference(diagnostic.Table{{"KG040", "later", "L."}}, diagnostic.Table{{"KG001", "early", "E."}})
	i, j := strings.Index(got, "## KG001: early\n\nE.\n"), strings.Index(got, "## KG040: later\n\nL.\n")
	if i < 0 || j < i {
		t.Errorf("bad order or form:\n%s", got)
	}
}
