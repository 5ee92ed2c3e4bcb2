package operator

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

// kubeconfig writes one for a server on which nothing is.
func kubeconfig(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	text := `{apiVersion: v1, kind: Config, current-context: here, clusters: [{name: c, cluster: {server: "` + server.URL + `"}}],
contexts: [{name: here, context: {cluster: c, user: u}}, {name: broken, context: {cluster: none, user: u}}], users: [{name: u, user: {}}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestCommandLine(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	file := kubeconfig(t)
	missing := filepath.Join(t.TempDir(), "missing")
	greeter, other := Definition{Name: "greeter"}, Definition{Name: "other"}
	failing := Definition{Name: "failing", Activities: []Activity{{ID: "open", On: OnStartup, Policy: permanently, Run: refuse}}}
	one, two := []Definition{greeter}, []Definition{greeter, other}
	for name, c := range map[string]struct {
		definitions    []Definition
		args, environ  []string
		status         int
		stdout, stderr []string // what is in there
		silent         bool     // nothing on stderr
	}{
		"nothing":               {definitions: one, status: 2, stderr: []string{"what to do is missing", "Usage:", "run"}},
		"help":                  {definitions: one, args: []string{"--help"}, stdout: []string{"operator greeter", "run"}, silent: true},
		"help of run":           {definitions: one, args: []string{"run", "-h"}, stdout: []string{"--namespace", "--log-format", "-A, --all-namespaces"}, silent: true},
		"an unknown command":    {definitions: one, args: []string{"fly"}, status: 2, stderr: []string{`unknown command "fly"`, "Usage:"}},
		"an unknown flag":       {definitions: one, args: []string{"run", "--fly"}, status: 2, stderr: []string{"unknown flag: --fly", "op run"}},
		"an argument":           {definitions: one, args: []string{"run", "main.py"}, status: 2, stderr: []string{`unexpected argument "main.py"`}},
		"both -A and -n":        {definitions: one, args: []string{"run", "-A", "-n", "a"}, status: 2, stderr: []string{"exclude each other"}},
		"a pattern":             {definitions: one, args: []string{"run", "-n", "a-*"}, status: 2, stderr: []string{`"a-*"`, "not supported yet"}},
		"an empty namespace":    {definitions: one, args: []string{"run", "-n", ""}, status: 2, stderr: []string{"namespace is empty"}},
		"an unknown format":     {definitions: one, args: []string{"run", "--log-format", "xml"}, status: 2, stderr: []string{`"xml"`}},
		"a bad variable":        {definitions: one, args: []string{"run"}, environ: []string{"KOPF_RUN_DEBUG=maybe"}, status: 2, stderr: []string{"KOPF_RUN_DEBUG"}},
		"no kubeconfig":         {definitions: one, args: []string{"run", "--kubeconfig", missing}, status: 1, stderr: []string{"finding the cluster"}},
		"an unknown context":    {definitions: one, args: []string{"run", "--kubeconfig", file, "--context", "there"}, status: 1, stderr: []string{"there"}},
		"a run":                 {definitions: one, args: []string{"run", "--kubeconfig", file, "-A"}, stderr: []string{"stopping"}},
		"a quiet run":           {definitions: one, args: []string{"run", "--kubeconfig", file, "-A", "-q"}, silent: true},
		"a run for nobody":      {definitions: one, args: []string{"run", "--kubeconfig", file}, stderr: []string{"neither -A nor -n"}},
		"by variables":          {definitions: one, args: []string{"run"}, environ: []string{"KOPF_RUN_KUBECONFIG=" + file, "KOPF_RUN_CLUSTERWIDE=yes", "KOPF_RUN_QUIET=1"}, silent: true},
		"a failing operator":    {definitions: []Definition{failing}, args: []string{"run", "--kubeconfig", file, "-A"}, status: 1, stderr: []string{"op run: starting up", "refused"}},
		"several, nothing":      {definitions: two, status: 2, stderr: []string{"greeter", "other"}},
		"one of several":        {definitions: two, args: []string{"other", "run", "--kubeconfig", file, "-A", "-q"}, silent: true},
		"one of several, alone": {definitions: two, args: []string{"other"}, status: 2, stderr: []string{"what to do is missing", "op other"}},
		"run of several":        {definitions: two, args: []string{"run"}, status: 2, stderr: []string{`unknown command "run"`}},
		"JSON":                  {definitions: one, args: []string{"run", "--kubeconfig", file, "-A", "--log-format", "JSON"}, stderr: []string{`"severity":"info"`}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			if c.status == 0 {
				cancel() // a signal has come already, for those who get so far
			}
			defer cancel()
			var stdout, stderr bytes.Buffer
			status := command(ctx, append([]string{"/usr/bin/op"}, c.args...), c.environ, &stdout, &stderr, c.definitions)
			if status != c.status || c.silent && stderr.Len() > 0 {
				t.Errorf("status %d, want %d", status, c.status)
			}
			for _, want := range c.stdout {
				if !strings.Contains(stdout.String(), want) {
					t.Errorf("stdout has no %q", want)
				}
			}
			for _, want := range c.stderr {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("stderr has no %q", want)
				}
			}
			if t.Failed() {
				t.Logf("stdout:\n%s\nstderr:\n%s", &stdout, &stderr)
			}
		})
	}
}

// Flags come first, then variables, by Kopf's names.
func TestFlagsFromTheEnvironment(t *testing.T) {
	for name, c := range map[string]struct {
		args, environ []string
		want          runFlags
	}{
		"nothing":     {want: runFlags{logFormat: "full"}},
		"namespaces":  {environ: []string{"KOPF_RUN_NAMESPACES= a  b ", "KOPF_RUN_NAMESPACE=c"}, want: runFlags{namespaces: []string{"a", "b", "c"}, logFormat: "full"}},
		"truths":      {environ: []string{"KOPF_RUN_CLUSTERWIDE=yes", "KOPF_RUN_DEBUG=on", "KOPF_RUN_VERBOSE=1", "KOPF_RUN_QUIET=no"}, want: runFlags{allNamespaces: true, debug: true, verbose: true, logFormat: "full"}},
		"texts":       {environ: []string{"KOPF_RUN_LOG_FORMAT=json", "KOPF_RUN_KUBECONFIG=k", "KOPF_RUN_CONTEXT=c"}, want: runFlags{logFormat: "json", kubeconfig: "k", context: "c"}},
		"flags first": {args: []string{"-n", "x", "--log-format=plain"}, environ: []string{"KOPF_RUN_NAMESPACES=a", "KOPF_RUN_LOG_FORMAT=json"}, want: runFlags{namespaces: []string{"x"}, logFormat: "plain"}},
		"empty ones":  {environ: []string{"KOPF_RUN_NAMESPACES=", "KOPF_RUN_DEBUG=", "OTHER", "KOPF_RUN_LOG_FORMAT="}, want: runFlags{logFormat: "full"}},
		"foreign":     {environ: []string{"KOPF_RUN_ALL_NAMESPACES=true", "DEBUG=true"}, want: runFlags{logFormat: "full"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got runFlags
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			got.register(flags)
			if err := flags.Parse(c.args); err != nil {
				t.Fatal(err)
			}
			if err := got.fromEnvironment(flags, c.environ); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got, cmp.AllowUnexported(runFlags{})); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		flags runFlags
		want  slog.Level
	}{
		{runFlags{}, slog.LevelInfo}, {runFlags{verbose: true}, slog.LevelDebug}, {runFlags{debug: true}, slog.LevelDebug},
		{runFlags{quiet: true}, slog.LevelWarn}, {runFlags{quiet: true, debug: true}, slog.LevelDebug},
	} {
		c.flags.logFormat, c.flags.allNamespaces = "plain", true
		opts, err := c.flags.options(new(bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		levels := []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError}
		lowest := levels[slices.IndexFunc(levels, func(l slog.Level) bool { return opts.Logger.Enabled(context.Background(), l) })]
		if lowest != c.want {
			t.Errorf("%+v: %v, want %v", c.flags, lowest, c.want)
		}
	}
}
