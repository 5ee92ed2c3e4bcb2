// Package stopping asks operators to stop while their handlers run.
package stopping

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/exampletest"
	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

func TestMain(m *testing.M) {
	os.Exit(harness.Main(m, map[string]func() operator.Definition{
		"stubborn": func() operator.Definition { return hasty(stubborn) },
		"obedient": func() operator.Definition { return hasty(obedient) },
	}))
}

// grace is how long the operators of hasty wait for their handlers.
const grace = time.Second

// hasty has a handler, a short time of grace, and a cleanup handler, which asks the prompter like any other.
func hasty(handler func(context.Context)) operator.Definition {
	return operator.Definition{
		Name: "hasty",
		Activities: []operator.Activity{
			{ID: "configure", On: operator.OnStartup, Run: func(_ context.Context, s *operator.Startup) (any, error) {
				s.Settings().Grace = grace
				return nil, nil
			}},
			{ID: "tidy", On: operator.OnCleanup, Run: func(ctx context.Context, _ *operator.Startup) (any, error) {
				_, err := harness.Ask(ctx, harness.Call{Handler: "tidy"})
				return nil, err
			}},
		},
		Resources: []operator.Resource{{
			Group: harness.Subject.Group, Version: harness.Subject.Version, Kind: harness.Subject.Kind, Plural: harness.Subject.Plural,
			Namespaced: true,
			Handlers: []operator.Handler{{ID: "slow", On: operator.OnCreate, Run: operator.Bind(
				func(ctx context.Context, c *operator.Call[operator.None]) (any, error) {
					if _, err := harness.Ask(ctx, harness.Call{Handler: "slow", Object: c.Name()}); err != nil {
						return nil, err
					}
					handler(ctx)
					return nil, ctx.Err()
				})}},
		}},
	}
}

// stubborn does not return, come what may.
func stubborn(context.Context) { select {} }

// obedient returns when it is told to.
func obedient(ctx context.Context) { <-ctx.Done() }

const subject = "{apiVersion: test.kopf.dev/v1, kind: Subject, metadata: {name: subject}, spec: {value: 1}}"

// stage is a namespace with one object in it, and how to run processes there.
func stage(t *testing.T, answer func(harness.Call) harness.Answer) (*exampletest.Object, *harness.Prompter, func(run string) harness.Config) {
	t.Helper()
	s := exampletest.NewFor(t, "../harness/crd/*.yaml")
	p := harness.NewPrompter(t, answer)
	return s.Manifest(subject)["subject"], p, func(run string) harness.Config {
		return harness.Config{Run: run, Kubeconfig: controlplane.Shared(t).Kubeconfig(), Namespace: s.Namespace(), Prompter: p}
	}
}

// untilStopping waits until the process has heard the signal.
func untilStopping(t *testing.T, p *harness.Process) {
	t.Helper()
	for deadline := time.Now().Add(harness.Patience); !strings.Contains(p.Log(), "stopping"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the process does not say that it stops")
		}
	}
}

// TestRunningHandlersFinish stops an operator in the middle of a handler: it may finish, what it returned is saved, no other handler is
// called any more, and the next process takes up from there.
func TestRunningHandlersFinish(t *testing.T) {
	release := make(chan struct{})
	object, prompter, config := stage(t, func(c harness.Call) harness.Answer {
		if c.Handler == "slow" {
			<-release
		}
		return harness.Return(c.Run)
	})
	o := harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
		{On: "create", ID: "early"}, {On: "create", ID: "slow"}, {On: "create", ID: "late"},
	}}
	process := o.Start(t, harness.Kopfgen, config("first"))
	prompter.Until("first", "slow", "subject")
	process.Signal()
	untilStopping(t, process)
	select {
	case <-process.Ended():
		t.Fatal("the process did not wait for its handler")
	default:
	}
	close(release)
	if status := process.Wait(); status != 0 {
		t.Errorf("the process ended with status %d", status)
	}
	object.Until("all is saved", "{progress: {early: {success: true}, slow: {success: true}}, status: {early: first, slow: first}}")

	process = o.Start(t, harness.Kopfgen, config("second"))
	object.Until("it is handled", "{handled: {}, progress: null, status: {early: first, slow: first, late: second}}")
	process.Stop()
	calls := [][]string{harness.Lines(prompter.Calls("first", "")), harness.Lines(prompter.Calls("second", ""))}
	if diff := cmp.Diff([][]string{{"early 0", "slow 0"}, {"late 0"}}, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// TestHandlerThatNeverReturns stops an operator whose handler does not heed the end of its context. The process does not wait for ever,
// and its status tells.
func TestHandlerThatNeverReturns(t *testing.T) {
	_, prompter, config := stage(t, nil)
	process := harness.StartDefinition(t, "stubborn", config("first"))
	prompter.Until("first", "slow", "subject")
	begin := time.Now()
	process.Signal()
	if status := process.Wait(); status != 1 {
		t.Errorf("the process ended with status %d", status)
	}
	if took := time.Since(begin); took < grace {
		t.Errorf("the process ended after %v", took)
	}
	if len(prompter.Calls("first", "")) != 2 {
		t.Errorf("%q were called, and not the cleanup", harness.Lines(prompter.Calls("first", "")))
	}
	if log := process.Log(); !strings.Contains(log, "did not return") {
		t.Errorf("the log does not say why:\n%s", log)
	}
}

// TestHandlerThatHeedsItsContext stops an operator whose handler returns when its context ends, which it does after the time of grace. It
// has not finished, and is called again by the next process.
func TestHandlerThatHeedsItsContext(t *testing.T) {
	object, prompter, config := stage(t, nil)
	process := harness.StartDefinition(t, "obedient", config("first"))
	prompter.Until("first", "slow", "subject")
	begin := time.Now()
	process.Signal()
	if status := process.Wait(); status != 0 {
		t.Errorf("the process ended with status %d", status)
	}
	if took := time.Since(begin); took < grace {
		t.Errorf("the process ended after %v", took)
	}
	if object.Ever("{handled: {}}") {
		t.Error("the object counts as handled")
	}
	process = harness.StartDefinition(t, "obedient", config("second"))
	prompter.Until("second", "slow", "subject")
	process.Signal()
	process.Wait()
}

// TestNothingToFinish stops an operator at rest, and one that waits for a retry: neither has anything to wait for.
func TestNothingToFinish(t *testing.T) {
	for name, test := range map[string]struct {
		answer harness.Answer
		state  string
	}{
		"at rest":             {harness.Answer{}, "{handled: {}, progress: null}"},
		"waiting for a retry": {harness.Retry(time.Hour), "{progress: {made: {retries: 1}}}"},
	} {
		t.Run(name, func(t *testing.T) {
			object, _, config := stage(t, func(harness.Call) harness.Answer { return test.answer })
			o := harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{{On: "create", ID: "made"}}}
			process := o.Start(t, harness.Kopfgen, config("only"))
			object.Until("it is as expected", test.state)
			begin := time.Now()
			process.Stop()
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("it took %v to stop", took)
			}
		})
	}
}
