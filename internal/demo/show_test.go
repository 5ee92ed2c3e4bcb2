package main

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestHandled(t *testing.T) {
	const base, open = "kopf.zalando.org/last-handled-configuration", "kopf.zalando.org/greet"
	for _, tt := range []struct {
		name        string
		annotations map[string]any
		want        bool
	}{
		{"new", nil, false},
		{"in progress", map[string]any{open: "{}"}, false},
		{"changed, and in progress", map[string]any{open: "{}", base: "{}\n"}, false},
		{"handled", map[string]any{base: "{}\n"}, true},
		{"handled, with annotations of others", map[string]any{base: "{}\n", "team": "blue"}, true},
	} {
		v := view{&unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"annotations": tt.annotations}}}}
		if got := v.handled(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestLineWriter(t *testing.T) {
	var lines []string
	w := &lineWriter{line: func(line string) { lines = append(lines, line) }}
	for _, piece := range []string{"one\ntw", "o\n\nthree", "\nthe rest is never ended"} {
		fmt.Fprint(w, piece)
	}
	if want := []string{"one", "two", "", "three"}; !slices.Equal(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
}

func TestColoursAreForTerminals(t *testing.T) {
	s := newScreen(nil)
	if got := s.in(bold, "text"); got != "text" {
		t.Errorf("without a terminal: %q", got)
	}
	s.colour = true
	if got, want := s.in(bold, "text"), "\x1b[1mtext\x1b[0m"; got != want {
		t.Errorf("on a terminal: %q, want %q", got, want)
	}
}
