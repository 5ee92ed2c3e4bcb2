package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// tick is the unit in which the kernel tells CPU times: USER_HZ is 100 on all platforms that Go supports.
const tick = 10 * time.Millisecond

// stats are what a process has used.
type stats struct {
	cpu       time.Duration // user and system
	rss, peak float64       // resident memory now and at most, in MiB
}

// parseStats reads /proc/PID/stat and /proc/PID/status.
func parseStats(stat, status string) (stats, error) {
	// The name of the program, in brackets, may have anything in it, brackets and spaces included.
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	const user, system = 14 - 3, 15 - 3 // numbered as in proc_pid_stat(5), after two that are cut off
	if len(fields) <= system {
		return stats{}, fmt.Errorf("no CPU time in %q", stat)
	}
	var s stats
	for _, field := range []string{fields[user], fields[system]} {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return stats{}, fmt.Errorf("read the CPU time in %q: %w", stat, err)
		}
		s.cpu += time.Duration(ticks) * tick
	}
	for name, target := range map[string]*float64{"VmRSS:": &s.rss, "VmHWM:": &s.peak} {
		_, rest, ok := strings.Cut(status, "\n"+name)
		line, _, _ := strings.Cut(rest, "\n")
		kib, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 64)
		if !ok || err != nil {
			return stats{}, fmt.Errorf("read %s of a process: %q", name, line)
		}
		*target = kib / 1024
	}
	return s, nil
}
