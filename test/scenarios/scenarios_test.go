// Package scenarios shows an operator what happens to objects in the wild: other people and other programs change and remove them, and what
// belongs to the operator on them, at the worst of moments. Each test is a small story on the real API server.
package scenarios

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kopfgen/kopfgen/internal/exampletest"
	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }

// finalizer is the one that is put on objects unless an operator says otherwise, and guarded is an object that has it and no other.
const (
	finalizer = "kopf.zalando.org/KopfFinalizerMarker"
	guarded   = `metadata: {finalizers: [` + finalizer + `]}`
)

var errNotYet = errors.New("not yet")

// story is one test, with the calls that handlers have noted.
type story struct {
	testing.TB
	*exampletest.Stage

	mu    sync.Mutex
	calls []string
}

func begin(t *testing.T) *story {
	t.Parallel()
	return &story{TB: t, Stage: exampletest.NewFor(t, "../harness/crd/*.yaml")}
}

// subject creates an object with the parts of it that are given in YAML, and watches it.
func (s *story) subject(name string, parts ...string) *exampletest.Object {
	s.Helper()
	return s.in(s.Namespace(), name, parts...)
}

// in creates an object in another namespace.
func (s *story) in(namespace, name string, parts ...string) *exampletest.Object {
	s.Helper()
	r := harness.Subject
	text := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  namespace: %s\n  name: %s\n", r.APIVersion(), r.Kind, namespace, name)
	return s.Manifest(text + strings.Join(parts, "\n"))[name]
}

// work is what a handler does, beside being noted.
type work func(ctx context.Context, c *operator.Call[operator.None]) (any, error)

func fine(context.Context, *operator.Call[operator.None]) (any, error) { return nil, nil }

// failing fails with a temporary error as often as is said, each time with the delay, and then succeeds.
func failing(times int, delay time.Duration) work {
	return func(_ context.Context, c *operator.Call[operator.None]) (any, error) {
		if c.Retry() < times {
			return nil, kopf.Temporary(errNotYet, delay)
		}
		return nil, nil
	}
}

// handler makes a handler that notes what it is called for: "one update changed#0 {…}->{…}".
func (s *story) handler(on operator.Kind, id string, do work, adapt ...func(*operator.Handler)) operator.Handler {
	h := operator.Handler{ID: id, On: on, Run: operator.BindChange(
		func(ctx context.Context, c *operator.Call[operator.None], old, now kopf.Raw) (any, error) {
			s.note("%s %s %s#%d %s->%s", c.Name(), c.Reason(), id, c.Retry(), old, now)
			return do(ctx, c)
		})}
	for _, a := range adapt {
		a(&h)
	}
	return h
}

func (s *story) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, fmt.Sprintf(format, args...))
}

// noted returns the calls so far that begin with the text.
func (s *story) noted(begin string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.calls), func(c string) bool { return !strings.HasPrefix(c, begin) })
}

// expect compares the calls that begin with the text with those wanted, which lack the text.
func (s *story) expect(begin string, want ...string) {
	s.Helper()
	got := s.noted(begin)
	for i := range got {
		got[i] = strings.TrimPrefix(got[i], begin)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		s.Errorf("calls of %q (-want +got):\n%s", begin, diff)
	}
}

// untilCalled waits until there are so many calls that begin with the text.
func (s *story) untilCalled(begin string, count int) {
	s.Helper()
	deadline := time.Now().Add(harness.Patience)
	for len(s.noted(begin)) < count {
		if time.Now().After(deadline) {
			s.Fatalf("%d calls of %q, waiting for %d", len(s.noted(begin)), begin, count)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// caughtUp returns when the operator has looked at everything that happened before.
func (s *story) caughtUp(marker string) {
	s.Helper()
	s.subject(marker, "spec: {}").Until("the operator has caught up", `{handled: {}, progress: null}`)
}

// of makes an operator of handlers of subjects.
func of(handlers ...operator.Handler) operator.Definition {
	return ofResource(harness.Subject, handlers...)
}

func ofResource(r harness.Resource, handlers ...operator.Handler) operator.Definition {
	return operator.Definition{Name: "story", Resources: []operator.Resource{{
		Group: r.Group, Version: r.Version, Kind: r.Kind, Plural: r.Plural, Namespaced: true,
		Watch:    operator.Watch{Finalizer: slices.ContainsFunc(handlers, func(h operator.Handler) bool { return h.On.Has(operator.OnDelete) })},
		Handlers: handlers,
	}}}
}

// What handlers are given beside their work.
func labels(selector string) func(*operator.Handler) {
	return func(h *operator.Handler) { h.Labels = selector }
}

func field(path ...string) func(*operator.Handler) {
	return func(h *operator.Handler) { h.Field = path }
}

func policy(p kopf.Policy) func(*operator.Handler) {
	return func(h *operator.Handler) { h.Policy = p }
}

// returning succeeds with a result.
func returning(result any) work {
	return func(context.Context, *operator.Call[operator.None]) (any, error) { return result, nil }
}
