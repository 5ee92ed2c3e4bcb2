package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// measure is something that is measured.
type measure struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
}

var (
	cpuPerCreation    = measure{"CPU per handled creation", "ms"}
	throughput        = measure{"objects created while it runs, handled per second", "1/s"}
	catchUp           = measure{"objects found at start, handled per second", "1/s"}
	writesPerCreation = measure{"API writes per creation, events included", ""}
	writesOfTen       = measure{"API writes per creation, ten handlers", ""}
	cpuOfTen          = measure{"CPU per creation, ten handlers", "ms"}
	peakCatchUp       = measure{"peak RSS, handling objects found at start", "MiB"}
	peakListing       = measure{"peak RSS, listing objects that are handled", "MiB"}
	restFull          = measure{"RSS at rest with objects", "MiB"}
	restEmpty         = measure{"RSS at rest without objects", "MiB"}
	heapPerObject     = measure{"heap per object at rest", "B"}
	idleCPU           = measure{"CPU per second, idle with objects at rest", "ms"}
	start             = measure{"exec to the first list or watch", "ms"}
	binarySize        = measure{"binary, static and stripped", "MB"}
	eventTime         = measure{"reading an event of 2 KB that changes nothing", "µs"}
	eventAllocations  = measure{"allocations for it", ""}
	generatorTime     = measure{"generator, everything stale", "s"}
	generatorMemory   = measure{"generator, everything stale, peak RSS", "MiB"}
	freshTime         = measure{"generator, everything fresh", "s"}
	freshMemory       = measure{"generator, everything fresh, peak RSS", "MiB"}

	// measures are all of them, in the order of the report.
	measures = []measure{cpuPerCreation, throughput, catchUp, writesPerCreation, writesOfTen, cpuOfTen, peakCatchUp, peakListing, restFull,
		restEmpty, heapPerObject, idleCPU, start, binarySize, eventTime, eventAllocations, generatorTime, generatorMemory, freshTime, freshMemory}
)

// results are what was measured so far. The zero value is empty.
type results struct {
	values map[measure]map[peer][]float64
}

func (r *results) add(m measure, p peer, value float64) {
	if r.values == nil {
		r.values = map[measure]map[peer][]float64{}
	}
	if r.values[m] == nil {
		r.values[m] = map[peer][]float64{}
	}
	r.values[m][p] = append(r.values[m][p], value)
}

// summary is what the values of one measure of one peer come to.
type summary struct {
	Median float64   `json:"median"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Values []float64 `json:"values"`
}

// summarize sums up at least one value.
func summarize(values []float64) summary {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return summary{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Min: sorted[0], Max: sorted[n-1], Values: values}
}

// row is one measure in the report.
type row struct {
	measure
	Peers map[peer]summary `json:"peers"`
	// Ratios are those of kopfgen's median to the medians of the others, where these are not 0.
	Ratios map[peer]float64 `json:"ratios,omitempty"`
}

// row returns what is known about a measure.
func (r *results) row(m measure) row {
	all := row{measure: m, Peers: map[peer]summary{}, Ratios: map[peer]float64{}}
	for p, values := range r.values[m] {
		all.Peers[p] = summarize(values)
	}
	own, measured := all.Peers[kopfgen]
	for p, s := range all.Peers {
		if measured && p != kopfgen && s.Median != 0 {
			all.Ratios[p] = own.Median / s.Median
		}
	}
	return all
}

// report is everything that a run has found.
type report struct {
	Conditions []condition `json:"conditions"`
	Measures   []row       `json:"measures"`
	Targets    []verdict   `json:"targets"`
	// Failures are the turns that a peer did not come through, and that the measures hence lack in part.
	Failures []string `json:"failures,omitempty"`
}

// condition is something about the run that the numbers depend on.
type condition struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (b *bench) report() report {
	conditions := []condition{
		{"time", fmt.Sprintf("%s, %.0f s in all", b.started.UTC().Format("2006-01-02 15:04 MST"), time.Since(b.started).Seconds())},
		{"machine", fmt.Sprintf("%s/%s, %d CPUs, shared by the API server, the operator and this program", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())},
		{"load average at the end", loadAverage()},
		{"Go", runtime.Version()},
		{"rounds", fmt.Sprint(b.rounds)},
		{"objects created while the operator runs", fmt.Sprint(b.live)},
		{"objects found at start, and at rest", fmt.Sprintf("%d of %d bytes before they are handled", b.rest, b.size)},
		{"objects for ten handlers", fmt.Sprint(b.ten)},
		{"idle for", b.idle.String()},
	}
	all := report{Conditions: conditions, Targets: b.results.verdicts(), Failures: b.failures}
	for _, m := range measures {
		all.Measures = append(all.Measures, b.results.row(m))
	}
	return all
}

// loadAverage returns how many processes wanted to run in the last 1, 5 and 15 minutes.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], " ")
}
