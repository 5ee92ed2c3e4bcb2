package peering

import (
	"regexp"
	"testing"
)

func TestIdentity(t *testing.T) {
	t.Setenv("LOGNAME", "ann")
	if got := Identity(true); !regexp.MustCompile(`^ann@[^/]+$`).MatchString(got) {
		t.Errorf("manual: %q", got)
	}
	automatic := Identity(false)
	if !regexp.MustCompile(`^ann@[^/]+/20\d{12}/[a-fh-z0-9]{3}$`).MatchString(automatic) {
		t.Errorf("automatic: %q", automatic)
	}
	t.Setenv("POD_ID", "pod-1")
	if Identity(true) != "pod-1" || Identity(false) != "pod-1" {
		t.Error("$POD_ID does not count")
	}
}

func TestHostNames(t *testing.T) {
	for _, c := range []struct {
		plain string
		names []string
		want  string
	}{
		{"vm", nil, "vm"},
		{"vm.local", nil, "vm"},
		{"vm.localdomain.local", nil, "vm"},
		{"vm", []string{"localhost"}, "vm"},
		{"vm", []string{"localhost.", "10.0.0.1", "::1", "1.0.0.ip6.arpa."}, "vm"},
		{"vm", []string{"other", "vm.example.com."}, "vm.example.com"},
		{"vm", []string{"other", "another"}, "other"},
	} {
		if got := describing(c.plain, c.names); got != c.want {
			t.Errorf("describing(%q, %q) = %q, want %q", c.plain, c.names, got, c.want)
		}
	}
}
