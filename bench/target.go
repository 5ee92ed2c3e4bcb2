package main

import (
	"fmt"
	"strconv"
)

// target is what kopfgen is to reach: an absolute number, or a ratio to a peer.
type target struct {
	of      measure
	to      peer // whose median is 1; none for an absolute number
	limit   float64
	atLeast bool // more is better; otherwise less is
}

// targets are those that can be judged by one run. Ratios mean something on any machine; times do on an idle one.
var targets = []target{
	{of: cpuPerCreation, to: controllerRuntime, limit: 0.5},
	{of: catchUp, to: controllerRuntime, limit: 1, atLeast: true},
	{of: peakListing, limit: 40},
	{of: heapPerObject, limit: 100},
	{of: eventTime, limit: 10},
	{of: eventAllocations, limit: 0},
	{of: writesOfTen, limit: 2},
	{of: idleCPU, limit: 2}, // heartbeats; one tick of the clock in five seconds
	{of: binarySize, limit: 16},
	{of: start, limit: 150},
	{of: generatorTime, limit: 1.2},
	{of: freshTime, limit: 0.3},
}

// verdict tells whether a target is met.
type verdict struct {
	Measure string  `json:"measure"`
	Target  string  `json:"target"`
	Got     float64 `json:"got"`
	Met     bool    `json:"met"`
}

// verdicts judges the medians. A target of which nothing was measured has no verdict.
func (r *results) verdicts() []verdict {
	var all []verdict
	for _, t := range targets {
		row := r.row(t.of)
		got, known := row.Ratios[t.to]
		if t.to == "" {
			var s summary
			s, known = row.Peers[kopfgen]
			got = s.Median
		}
		if known {
			all = append(all, verdict{Measure: t.of.Name, Target: t.String(), Got: got, Met: got == t.limit || (got > t.limit) == t.atLeast})
		}
	}
	return all
}

// String returns the target in words.
func (t target) String() string {
	bound := "at most"
	if t.atLeast {
		bound = "at least"
	}
	limit := strconv.FormatFloat(t.limit, 'f', -1, 64)
	if t.to != "" {
		return fmt.Sprintf("%s %s times that of %s", bound, limit, t.to)
	}
	if t.of.Unit != "" {
		limit += " " + t.of.Unit
	}
	return bound + " " + limit
}
