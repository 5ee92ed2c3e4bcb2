// Package commandline calls an operator as people and deployments do: with flags, with the variables that Kopf reads, and wrongly.
package commandline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

// role is the variable that makes this program the operator under test.
const role = "KOPFGEN_TEST_OPERATOR"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(controlplane.Main(m))
	case "one":
		operator.Main(definition("one"))
	case "broken":
		operator.Main(definition("broken", kopf.Permanent(errors.New("no luck today"))))
	case "nameless":
		d := definition("nameless")
		d.Resources[0].Handlers[0].ID = "not an id"
		operator.Main(d)
	case "patient":
		operator.Main(definition("patient", kopf.Wait(10*time.Millisecond), kopf.Wait(10*time.Millisecond),
			kopf.Temporary(errors.New("not yet"), 10*time.Millisecond), errors.New("arbitrary")))
	case "two":
		operator.Main(definition("first"), definition("second"))
	}
}

// definition makes an operator whose startup handler fails with the errors, one after the other, before it succeeds.
func definition(name string, troubles ...error) operator.Definition {
	return operator.Definition{
		Name: name,
		Activities: []operator.Activity{{
			ID: "open", On: operator.OnStartup, Policy: kopf.Policy{Retries: 3, Backoff: kopf.Backoff{From: 10 * time.Millisecond}},
			Run: func(_ context.Context, c *operator.Startup) (any, error) {
				c.Logger().Warn("a warning of "+name, "retry", c.Retry())
				c.Logger().Debug("a detail of " + name)
				if len(troubles) == 0 {
					return nil, nil
				}
				trouble := troubles[0]
				troubles = troubles[1:]
				return nil, trouble
			},
		}},
		Resources: []operator.Resource{{
			Group: harness.Subject.Group, Version: harness.Subject.Version, Kind: harness.Subject.Kind, Plural: harness.Subject.Plural, Namespaced: true,
			Handlers: []operator.Handler{{ID: "made", On: operator.OnCreate, Run: operator.Bind(
				func(context.Context, *operator.Call[operator.None]) (any, error) { return nil, nil })}},
		}},
	}
}

// output is what a process writes to standard error.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// lacks returns the first text that was not written, or nothing.
func (o *output) lacks(texts []string) string {
	written := o.String()
	for _, text := range texts {
		if !strings.Contains(written, text) {
			return text
		}
	}
	return ""
}

// call starts the operator and returns it with what it writes to standard error.
func call(t *testing.T, as string, environ []string, args ...string) (*exec.Cmd, *output) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = []string{role + "=" + as, "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	cmd.Env = append(cmd.Env, environ...)
	stderr := new(output)
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, stderr
}

// status waits for the end and returns the exit status.
func status(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

func TestWrongCalls(t *testing.T) {
	t.Parallel()
	const usage = 2
	for _, c := range []struct {
		as      string
		environ []string
		args    []string
		status  int
		says    []string
	}{
		{as: "one", status: usage, says: []string{"Usage:", "run", "what to do is missing"}},
		{as: "one", args: []string{"walk"}, status: usage, says: []string{`unknown command "walk"`, "Usage:"}},
		{as: "one", args: []string{"run", "--fast"}, status: usage, says: []string{"--fast", "--namespace"}},
		{as: "one", args: []string{"run", "handlers.py"}, status: usage, says: []string{`"handlers.py"`}},
		{as: "one", args: []string{"run", "-A", "-n", "a"}, status: usage, says: []string{"-A", "-n", "exclude each other"}},
		{as: "one", args: []string{"run", "-n", "team-*"}, status: usage, says: []string{`"team-*"`, "patterns are not supported"}},
		{as: "one", args: []string{"run", "-n", ""}, status: usage, says: []string{"a namespace is empty"}},
		{as: "one", args: []string{"run", "--log-format", "xml"}, status: usage, says: []string{`"xml"`, "full, plain or json"}},
		{as: "one", environ: []string{"KOPF_RUN_LOG_FORMAT=xml"}, args: []string{"run"}, status: usage, says: []string{`"xml"`}},
		{as: "one", environ: []string{"KOPF_RUN_DEBUG=perhaps"}, args: []string{"run"}, status: usage, says: []string{"KOPF_RUN_DEBUG", "perhaps"}},
		{as: "one", args: []string{"run", "-A", "--kubeconfig", "/nonexistent"}, status: 1, says: []string{"/nonexistent"}},
		{as: "two", args: []string{"run"}, status: usage, says: []string{`unknown command "run"`, "first", "second"}},
		{as: "two", args: []string{"first"}, status: usage, says: []string{"what to do is missing", "run"}},
	} {
		t.Run(fmt.Sprint(c.environ, c.args), func(t *testing.T) {
			cmd, stderr := call(t, c.as, c.environ, c.args...)
			if got := status(t, cmd); got != c.status {
				t.Errorf("exit status %d, want %d", got, c.status)
			}
			if lack := stderr.lacks(c.says); lack != "" {
				t.Errorf("it does not say %q:\n%s", lack, stderr)
			}
		})
	}
}

// TestCalls runs the operator until it is told to stop, and looks at what it says of what it was told.
func TestCalls(t *testing.T) {
	t.Parallel()
	cp := controlplane.Shared(t)
	cp.ApplyFile(t, "../harness/crd/subjects.yaml")
	kubeconfig := "KUBECONFIG=" + cp.Kubeconfig()
	for name, c := range map[string]struct {
		as        string
		environ   []string
		args      []string
		says, not []string
	}{
		"namespaces":                   {args: []string{"-n", "b", "-n", "a", "-n", "a", "-v"}, says: []string{"namespaces=a,b\n"}},
		"namespaces by variables":      {environ: []string{"KOPF_RUN_NAMESPACES=c b", "KOPF_RUN_NAMESPACE=a"}, args: []string{"-d"}, says: []string{"namespaces=a,b,c\n"}},
		"a flag before its variable":   {environ: []string{"KOPF_RUN_NAMESPACES=b"}, args: []string{"-n", "a", "-v"}, says: []string{"namespaces=a\n"}},
		"all namespaces":               {args: []string{"-A", "-v"}, says: []string{"namespaces=all\n"}, not: []string{"serving all namespaces"}},
		"all namespaces by a variable": {environ: []string{"KOPF_RUN_CLUSTERWIDE=true", "KOPF_RUN_VERBOSE=1"}, says: []string{"namespaces=all\n"}, not: []string{"serving all namespaces"}},
		"a variable as Python has it":  {environ: []string{"KOPF_RUN_CLUSTERWIDE=Yes", "KOPF_RUN_DEBUG=on", "KOPF_RUN_QUIET=no"}, says: []string{"namespaces=all\n"}, not: []string{"serving all namespaces"}},
		"no namespaces":                {says: []string{"serving all namespaces"}, not: []string{"a detail"}},
		"quiet":                        {args: []string{"-A", "-q"}, says: []string{"a warning"}, not: []string{"a detail", "stopping"}},
		"plain":                        {args: []string{"-A", "--log-format", "Plain"}, says: []string{"a warning of one handler=open retry=0\n"}, not: []string{"[WARN"}},
		"json":                         {environ: []string{"KOPF_RUN_LOG_FORMAT=json"}, args: []string{"-A"}, says: []string{`"severity":"warn"`}},
		"full, by its other name":      {args: []string{"-A", "--log-format=text"}, says: []string{"[WARN"}},
		"one of two":                   {as: "two", args: []string{"-A"}, says: []string{"a warning of second"}, not: []string{"a warning of first"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			as, args := "one", append([]string{"run"}, c.args...)
			if c.as == "two" {
				as, args = "two", append([]string{"second"}, args...)
			}
			cmd, stderr := call(t, as, append(c.environ, kubeconfig), args...)
			for deadline := time.Now().Add(harness.Patience); stderr.lacks(c.says) != "" && time.Now().Before(deadline); {
				time.Sleep(20 * time.Millisecond)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			if got := status(t, cmd); got != 0 {
				t.Errorf("exit status %d", got)
			}
			if lack := stderr.lacks(c.says); lack != "" {
				t.Errorf("it does not say %q:\n%s", lack, stderr)
			}
			for _, say := range c.not {
				if strings.Contains(stderr.String(), say) {
					t.Errorf("it says %q:\n%s", say, stderr)
				}
			}
		})
	}
}

// TestStartups: an operator that cannot start up says why and ends with a failure; waiting is none, and errors are retried.
func TestStartups(t *testing.T) {
	t.Parallel()
	kubeconfig := "KUBECONFIG=" + controlplane.Shared(t).Kubeconfig()
	for as, says := range map[string][]string{
		"broken":   {"no luck today", `"open"`},
		"nameless": {`"not an id"`, "subjects"},
	} {
		cmd, stderr := call(t, as, []string{kubeconfig}, "run", "-A")
		if got, lack := status(t, cmd), stderr.lacks(says); got != 1 || lack != "" {
			t.Errorf("%s: exit status %d, it does not say %q:\n%s", as, got, lack, stderr)
		}
	}
	cmd, stderr := call(t, "patient", []string{kubeconfig}, "run", "-A", "--log-format=json")
	says := []string{`"retry":2`, "not yet", "arbitrary"}
	for deadline := time.Now().Add(harness.Patience); stderr.lacks(says) != "" && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond) // for more than that
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if got := status(t, cmd); got != 0 || stderr.lacks(says) != "" {
		t.Errorf("exit status %d:\n%s", got, stderr)
	}
	for text, count := range map[string]int{"a warning of patient": 5, `"retry":0`: 3, "the handler failed; trying again": 2} {
		if got := strings.Count(stderr.String(), text); got != count {
			t.Errorf("it says %q %d times, want %d:\n%s", text, got, count, stderr)
		}
	}
}
