package skim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// frame is a MODIFIED event of about 2 KB, as operators see them: a quarter content, the rest annotations and managedFields.
var frame = []byte(`{"type":"MODIFIED","object":` + sample("") + "}\n")

func sample(filling string) string {
	managed := func(manager, fields string) string {
		return `{"apiVersion":"kopf.dev/v1","fieldsType":"FieldsV1","fieldsV1":{` + fields + `},"manager":"` + manager + `","operation":"Update","time":"2026-01-01T00:00:00Z"}`
	}
	return `{"apiVersion":"kopf.dev/v1","kind":"KopfExample","metadata":{"annotations":{` +
		`"kopf.zalando.org/create_fn":"{\"started\":\"2026-01-01T00:00:00.000000+00:00\",\"delayed\":\"2026-01-01T00:01:00.000000+00:00\",\"purpose\":\"create\",\"retries\":1,\"success\":false,\"failure\":false,\"message\":\"not yet\"}",` +
		`"kopf.zalando.org/last-handled-configuration":"{\"spec\":{\"duration\":\"1m\",\"field\":\"value\",\"items\":[\"item1\",\"item2\"]},\"metadata\":{\"labels\":{\"somelabel\":\"somevalue\"}}}\n",` +
		`"somebody.example.com/note":"text"},"creationTimestamp":"2026-01-01T00:00:00Z","finalizers":["kopf.zalando.org/KopfFinalizerMarker"],"generation":2,` +
		`"labels":{"app":"example","somelabel":"somevalue"},"managedFields":[` +
		managed("kubectl", `"f:metadata":{"f:annotations":{".":{},"f:somebody.example.com/note":{}},"f:labels":{".":{},"f:app":{},"f:somelabel":{}}},"f:spec":{".":{},"f:duration":{},"f:field":{},"f:items":{}}`) + "," +
		managed("kopf", `"f:metadata":{"f:annotations":{"f:kopf.zalando.org/create_fn":{},"f:kopf.zalando.org/last-handled-configuration":{}},"f:finalizers":{".":{},"v:\"kopf.zalando.org/KopfFinalizerMarker\"":{}}}`) +
		`],"name":"kopf-example-1","namespace":"default","resourceVersion":"123456","uid":"0cd9a9a1-4c0d-4b65-9a31-93ee3b9b4a3c"},` +
		`"spec":{"duration":"1m","field":"value","items":["item1","item2"]` + filling + `},"status":{"conditions":[{"type":"Ready","status":"True","reason":"AllGood"}],"phase":"Running"}}`
}

var benchConfig = skim.Config{
	Finalizer: config.Finalizer,
	Prefixes:  []string{"kopf.zalando.org"},
	Extra:     [][]string{{"status", "phase"}},
	Reads:     [][]string{{"status", "conditions"}},
}

func big() []byte {
	var filling strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&filling, `,"key%d":"some value of %d"`, i, i)
	}
	return []byte(`{"type":"MODIFIED","object":` + sample(filling.String()) + "}\n")
}

func TestNothingIsAllocated(t *testing.T) {
	for name, raw := range map[string][]byte{"2 KB": frame, "big": big()} {
		s := skim.New(skim.Compile(benchConfig))
		var f skim.Frame
		allocs := testing.AllocsPerRun(100, func() {
			if err := s.Frame(raw, &f); err != nil {
				t.Fatal(err)
			}
			_ = f.Object.Key()
			_, _ = f.Object.Number()
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	for name, raw := range map[string][]byte{"2KB": frame, "big": big()} {
		b.Run(name, func(b *testing.B) {
			s := skim.New(skim.Compile(benchConfig))
			var f skim.Frame
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Frame(raw, &f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTrim(b *testing.B) {
	var f skim.Frame
	if err := skim.New(skim.Compile(benchConfig)).Frame(frame, &f); err != nil {
		b.Fatal(err)
	}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = f.Object.AppendTrimmed(dst[:0])
	}
}
