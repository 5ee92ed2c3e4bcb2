package diagnostic_test

import (
	"testing"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

func TestParsePosition(t *testing.T) {
	for text, want := range map[string]string{
		"a.go:3:4": "a.go:3:4", "a.go:3": "a.go:3", "a.go": "a.go", "c:a.go:3:4": "c:a.go:3:4", "a.go:3:": "a.go:3",
	} {
		got, ok := diagnostic.ParsePosition(text)
		if got.String() != want || ok != (text != "a.go") {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
}
