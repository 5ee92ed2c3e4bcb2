package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/controlplane/apply"
)

// api is the path of the kinds that are handled.
const api = "/apis/bench.kopf.dev/v1"

// cluster is the control plane, and a client that is not slower than it.
type cluster struct {
	plane  *controlplane.ControlPlane
	config *rest.Config
	client *http.Client
}

// startCluster starts a control plane that serves the kinds of the manifests.
func startCluster(ctx context.Context, manifests []string) (*cluster, error) {
	plane, err := controlplane.Run(ctx, os.Stderr)
	if err != nil {
		return nil, err
	}
	c := &cluster{plane: plane, config: plane.Config()}
	if c.client, err = rest.HTTPClientFor(c.config); err == nil {
		var applier *apply.Applier
		if applier, err = apply.New(c.config); err == nil {
			_, err = applier.Files(ctx, "default", manifests...)
		}
	}
	if err != nil {
		_ = c.stop() // the first error is the one to tell
		return nil, err
	}
	return c, nil
}

func (c *cluster) stop() error { return c.plane.Stop() }

// do sends a request and returns the answer, whose body the caller closes.
func (c *cluster) do(ctx context.Context, method, path, body string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.config.Host+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(response.Body, 500))
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	}
	return response, nil
}

// call sends a request and returns the size of the answer in bytes.
func (c *cluster) call(ctx context.Context, method, path, body string) (int, error) {
	response, err := c.do(ctx, method, path, body)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	n, err := io.Copy(io.Discard, response.Body)
	return int(n), err
}

// writes returns how often the server has been asked, in vain or not, to change objects of the kind, and to write events, which
// nobody but the operators does here.
func (c *cluster) writes(ctx context.Context, k kind) (float64, error) {
	response, err := c.do(ctx, http.MethodGet, "/metrics", "")
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return countWrites(response.Body, k.plural)
}

// countWrites adds up the counters of requests in Prometheus' text format. The operators create no objects, so those who do are left out.
func countWrites(metrics io.Reader, plural string) (float64, error) {
	total := 0.0
	lines := bufio.NewScanner(metrics)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if !strings.HasPrefix(line, "apiserver_request_total{") {
			continue
		}
		has := func(label, value string) bool { return strings.Contains(line, label+`="`+value+`"`) }
		change := has("verb", "PATCH") || has("verb", "PUT") || has("verb", "APPLY")
		if !(change && has("resource", plural)) && !((change || has("verb", "POST")) && has("resource", "events")) {
			continue
		}
		_, value, _ := strings.Cut(line, "} ")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return 0, fmt.Errorf("read the metric %q: %w", line, err)
		}
		total += n
	}
	return total, lines.Err()
}
