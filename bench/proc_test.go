package main

import (
	"strings"
	"testing"
	"time"
)

const (
	statOfProcess   = "4242 (a (strange) name) S 1 4242 4242 0 -1 4194560 1042 0 0 0 123 45 0 0 20 0 8 0 30571 1260000 5120 18446744073709551615\n"
	statusOfProcess = "Name:\tx\nVmPeak:\t 1300000 kB\nVmHWM:\t   30720 kB\nVmRSS:\t   20480 kB\nThreads:\t8\n"
)

func TestParseStats(t *testing.T) {
	got, err := parseStats(statOfProcess, statusOfProcess)
	want := stats{cpu: 1680 * time.Millisecond, rss: 20, peak: 30}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for name, test := range map[string]struct{ stat, status string }{
		"cut off":     {"4242 (x) S 1", statusOfProcess},
		"no number":   {strings.Replace(statOfProcess, " 123 ", " ? ", 1), statusOfProcess},
		"no memory":   {statOfProcess, "Name:\tx\n"},
		"empty files": {"", ""},
	} {
		if got, err := parseStats(test.stat, test.status); err == nil {
			t.Errorf("%s: got %+v, want an error", name, got)
		}
	}
}
