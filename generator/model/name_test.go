package model

import "testing"

func TestCanImport(t *testing.T) {
	for _, c := range []struct {
		path, from string
		want       bool
	}{
		{"example.com/m/api", "example.com/m/op", true},
		{"example.com/m/internal/api", "example.com/m/op", true},
		{"example.com/m/internal/api", "example.com/m", true},
		{"example.com/m/internal", "example.com/m/op", true},
		{"example.com/m/h/internal/api", "example.com/m/op", false},
		{"example.com/m/h/internal", "example.com/m/op", false},
		{"example.com/m/h/internal/api", "example.com/m/h", true},
		{"example.com/m/h/internal/api", "example.com/m/hh", false},
		{"example.com/m/internal/h/internal/api", "example.com/m/op", false},
		{"example.com/m/internals/api", "example.com/n", true},
		{"internal/abi", "example.com/m", false},
	} {
		if got := CanImport(c.path, c.from); got != c.want {
			t.Errorf("%s imports %s: %v, want %v", c.from, c.path, got, c.want)
		}
	}
}
