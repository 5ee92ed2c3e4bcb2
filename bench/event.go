package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"

	v1 "github.com/kopfgen/kopfgen/bench/peers/controllerruntime/v1"
)

// events measures what an event of 2 KB that changes nothing costs kopfgen, by the benchmarks of its own packages, and what decoding
// alone costs a peer that has to decode before it knows.
func (b *bench) events(ctx context.Context) error {
	out, err := b.goTest(ctx, "./runtime/internal/skim", "-run=^$", "-bench=^BenchmarkFrame$/^2KB$", "-benchmem")
	if err != nil {
		return err
	}
	found := benchmarkLine.FindStringSubmatch(out)
	if found == nil {
		return fmt.Errorf("no benchmark in %q", out)
	}
	b.results.add(eventTime, kopfgen, number(found[1])/1000)
	b.results.add(eventAllocations, kopfgen, number(found[2]))

	if out, err = b.goTest(ctx, "./runtime/internal/reactor", "-run=^TestMemoryAtRest$", "-v"); err != nil {
		return err
	}
	for _, found := range memoryLine.FindAllStringSubmatch(out, -1) {
		b.results.add(heapPerObject, kopfgen, number(found[1]))
	}

	object := []byte(manifest(sample, "sample", 18))
	typed := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var s v1.Sample
			if err := json.Unmarshal(object, &s); err != nil {
				b.Fatal(err)
			}
		}
	})
	dynamic := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var u unstructured.Unstructured
			if err := u.UnmarshalJSON(object); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.results.add(eventTime, typedDecoding, float64(typed.NsPerOp())/1000)
	b.results.add(eventAllocations, typedDecoding, float64(typed.AllocsPerOp()))
	b.results.add(eventTime, dynamicDecoding, float64(dynamic.NsPerOp())/1000)
	b.results.add(eventAllocations, dynamicDecoding, float64(dynamic.AllocsPerOp()))
	return nil
}

// The peers of an event are not operators but ways to read it.
const (
	typedDecoding   peer = "typed decoding"
	dynamicDecoding peer = "unstructured decoding"
)

var (
	benchmarkLine = regexp.MustCompile(`(?m)^BenchmarkFrame/2KB\S*\s+\d+\s+([0-9.]+) ns/op.*\s(\d+) allocs/op$`)
	memoryLine    = regexp.MustCompile(`objects at rest take (\d+) bytes each`)
)

// goTest runs tests of the main module and returns what they print.
func (b *bench) goTest(ctx context.Context, pkg string, flags ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"test", "-count=1"}, flags...), pkg)...)
	cmd.Dir = filepath.Clean(b.root)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go test %s: %w\n%s", pkg, err, strings.TrimSpace(string(out)))
	}
	return string(out), nil
}

// number converts what a regular expression has found to be a number.
func number(digits string) float64 {
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		panic(err) // the expression is wrong
	}
	return n
}
