package main

import (
	"strings"
	"testing"
)

func TestCountWrites(t *testing.T) {
	const metrics = `# HELP apiserver_request_total Counter of apiserver requests
# TYPE apiserver_request_total counter
apiserver_request_total{code="200",component="apiserver",dry_run="",group="bench.kopf.dev",resource="samples",scope="resource",subresource="",verb="PATCH",version="v1"} 1
apiserver_request_total{code="200",component="apiserver",dry_run="",group="bench.kopf.dev",resource="samples",scope="resource",subresource="status",verb="PATCH",version="v1"} 20
apiserver_request_total{code="409",component="apiserver",dry_run="",group="bench.kopf.dev",resource="samples",scope="resource",subresource="",verb="PUT",version="v1"} 300
apiserver_request_total{code="201",component="apiserver",dry_run="",group="",resource="events",scope="resource",subresource="",verb="POST",version="v1"} 4000
apiserver_request_total{code="201",component="apiserver",dry_run="",group="bench.kopf.dev",resource="samples",scope="resource",subresource="",verb="POST",version="v1"} 7
apiserver_request_total{code="200",component="apiserver",dry_run="",group="bench.kopf.dev",resource="samples",scope="cluster",subresource="",verb="WATCH",version="v1"} 7
apiserver_request_total{code="200",component="apiserver",dry_run="",group="bench.kopf.dev",resource="tens",scope="resource",subresource="",verb="PATCH",version="v1"} 7
apiserver_request_duration_seconds_count{group="bench.kopf.dev",resource="samples",verb="PATCH"} 7
`
	if got, err := countWrites(strings.NewReader(metrics), "samples"); err != nil || got != 4321 {
		t.Errorf("got %v, %v, want 4321", got, err)
	}
	if got, err := countWrites(strings.NewReader(strings.Replace(metrics, "} 1\n", "} ?\n", 1)), "samples"); err == nil {
		t.Errorf("got %v of a line without a number, want an error", got)
	}
}
