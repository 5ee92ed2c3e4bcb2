package reactor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/stream"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var widgets = api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "widgets", Kind: "Widget", Namespaced: true, HasStatus: true}

const (
	prefix    = "kopf.zalando.org"
	finalizer = prefix + "/KopfFinalizerMarker"
)

// world is an API server with one resource, the people who change its objects, and one process after another that handles them. Unless
// a test delivers events by itself, each comes as soon as it has happened, before the request that made it is answered.
type world struct {
	t        *testing.T
	server   *apitest.Server
	rules    *skim.Rules
	handlers *handling.Resource
	kept     int  // the budget, in bytes
	late     bool // events come only when the test delivers them

	// before and after are called around each request of the operator, with its number from 1; an error of theirs is that of the request,
	// which is not made, or whose answer is lost. Where turns may be on, befall sets the former.
	before, after func(n int, kind string) error

	// garble may change an answer; nil does not.
	garble func(n int, answer []byte) []byte

	reactor  *Reactor
	turns    *Turns
	budget   *Budget
	expire   context.CancelCauseFunc // ends the contexts of handlers
	cut      context.CancelFunc      // ends that of requests
	skimmer  *skim.Skimmer
	cursor   int // the version up to which events were delivered
	watching sync.Mutex

	mu       sync.Mutex
	calls    []string
	requests []string
	count    int // of requests, ever
	log      bytes.Buffer
}

// inBubble runs a test in virtual time. Whatever goroutine is left in the end fails it.
func inBubble(t *testing.T, test func(t *testing.T)) { t.Helper(); synctest.Test(t, test) }

// newWorld has no process yet.
func newWorld(t *testing.T, handlers ...handling.Handler) *world {
	w := &world{
		t: t, server: apitest.NewServer(widgets), kept: 1 << 20,
		rules:    skim.Compile(skim.Config{Finalizer: finalizer, Prefixes: []string{prefix}}),
		handlers: &handling.Resource{Finalizer: finalizer, Handlers: handlers},
		before:   func(int, string) error { return nil }, after: func(int, string) error { return nil },
	}
	for i := range w.handlers.Handlers {
		h := &w.handlers.Handlers[i]
		h.Run = w.noted(h.Run)
	}
	t.Cleanup(func() {
		if t.Failed() {
			lines := strings.Split(w.log.String(), "\n")
			t.Logf("calls: %q\nrequests: %q\n%s", w.calls, w.requests, strings.Join(lines[max(0, len(lines)-50):], "\n"))
		}
	})
	return w
}

// noted has calls of a handler written down.
func (w *world) noted(run handling.Func) handling.Func {
	return func(ctx context.Context, a *handling.Attempt) handling.Outcome {
		w.mu.Lock()
		w.calls = append(w.calls, fmt.Sprintf("%s %s#%d %s", a.Reason, a.ID, a.Retry, spec(a.Object)))
		w.mu.Unlock()
		return run(ctx, a)
	}
}

// start starts a process with the reactor, which lists what there is.
func (w *world) start() {
	w.boot()
	w.list()
}

// boot starts a process that has not listed yet.
func (w *world) boot() {
	requests, cut := context.WithCancel(context.Background())
	handlers, expire := context.WithCancelCause(requests)
	w.expire, w.cut = expire, cut
	w.turns, w.budget, w.skimmer = NewTurns(10), NewBudget(w.kept), skim.New(w.rules)
	w.reactor = New(handlers, requests, Config{
		Resource: widgets, Handlers: w.handlers, Skim: w.rules, Client: w, Turns: w.turns, Kept: w.budget,
		Logger: slog.New(slog.NewTextHandler(&lockedLog{w}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
}

// stop stops the process in order, and checks what it leaves behind.
func (w *world) stop() {
	w.t.Helper()
	w.reactor.Stop()
	w.turns.Close()
	if err := w.turns.Wait(context.Background()); err != nil {
		w.t.Error(err)
	}
	w.cut()
	if used := w.budget.used.Load(); used != 0 {
		w.t.Errorf("%d bytes are still kept", used)
	}
}

// kill ends the process at once, in the middle of what it does: nothing that it still wants reaches the server.
func (w *world) kill() {
	w.cut()
	w.reactor.Stop()
	w.turns.Close()
	_ = w.turns.Wait(context.Background())
}

// list reads a list as a stream does.
func (w *world) list() {
	w.t.Helper()
	for range 3 {
		w.watching.Lock()
		answer, err := w.server.Do(http.MethodGet, widgets.Path("", "", ""), "", nil)
		if err != nil {
			w.t.Fatal(err)
		}
		w.reactor.Restart()
		list, err := w.skimmer.List(answer, w.listed)
		if err != nil {
			w.t.Fatal(err)
		}
		_, w.cursor = w.server.Snapshot(widgets.Path("", "", ""))
		w.watching.Unlock()
		if w.reactor.Synced(list.ResourceVersion) {
			return
		}
	}
	w.t.Fatal("the lists are never trusted")
}

// deliver brings the events that have not come yet.
func (w *world) deliver() {
	w.watching.Lock()
	defer w.watching.Unlock()
	if w.reactor == nil {
		return
	}
	events, _, _ := w.server.Since(&w.cursor)
	for _, e := range events {
		w.event(e.Type, e.Object())
	}
}

// deliverSlowly is deliver with time for a turn after each event.
func (w *world) deliverSlowly() {
	events, _, _ := w.server.Since(&w.cursor)
	for _, e := range events {
		w.event(e.Type, e.Object())
		synctest.Wait()
	}
}

// listed brings an item of a list.
func (w *world) listed(o *skim.Object, refused error) error {
	w.reactor.Deliver(stream.Event{Type: stream.Listed, Object: *o})
	return refused
}

// event brings one event.
func (w *world) event(typ string, object []byte) {
	o, err := w.rules.Object(object)
	if err != nil {
		w.t.Error(err)
	}
	w.reactor.Deliver(stream.Event{Type: stream.Type(typ), Object: o})
}

// Patch implements patch.Client.
func (w *world) Patch(ctx context.Context, path string, kind types.PatchType, body []byte, query url.Values) ([]byte, error) {
	name := strings.TrimSuffix(strings.TrimPrefix(string(kind), "application/"), "-patch+json")
	if strings.HasSuffix(path, "/status") {
		name += " status"
	}
	var doc map[string]any
	if json.Unmarshal(body, &doc) == nil && len(doc) == 1 && len(tree.Object(doc, "metadata")) == 1 && tree.Object(doc, "metadata")["uid"] != nil {
		name = "read"
	}
	w.mu.Lock()
	w.requests = append(w.requests, name)
	w.count++
	n, before, after := w.count, w.before, w.after
	w.mu.Unlock()
	if err := before(n, name); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer, err := w.server.Patch(ctx, path, kind, body, query)
	if !w.late {
		w.deliver()
	}
	if lost := after(n, name); lost != nil {
		return nil, lost
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err == nil && w.garble != nil {
		answer = w.garble(n, answer)
	}
	return answer, err
}

// befall sets before.
func (w *world) befall(before func(n int, kind string) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before = before
}

// create makes the object of most tests.
func (w *world) create(doc string) []byte { return w.people(http.MethodPost, path("", ""), doc) }

// edit is a merge patch by somebody else.
func (w *world) edit(doc string) []byte { return w.people(http.MethodPatch, path("a", ""), doc) }

// editStatus is one of the status.
func (w *world) editStatus(doc string) []byte {
	return w.people(http.MethodPatch, path("a", "status"), doc)
}

func (w *world) delete() []byte { return w.people(http.MethodDelete, path("a", ""), "") }

// people makes a request that is not the operator's.
func (w *world) people(method, path, doc string) []byte {
	w.t.Helper()
	if method == http.MethodPost {
		object, err := tree.DecodeObject([]byte(doc))
		if err != nil {
			w.t.Fatal(err)
		}
		if tree.String(object, "metadata", "name") == "" {
			tree.Set(object, "a", "metadata", "name")
		}
		data, _ := tree.Encode(object)
		doc = string(data)
	}
	answer, err := w.server.Do(method, path, string(types.MergePatchType), []byte(doc))
	if err != nil {
		w.t.Fatal(err)
	}
	if !w.late {
		w.deliver()
	}
	return answer
}

func path(name, subresource string) string { return widgets.Path("default", name, subresource) }

// object is the object as it is; nil if it does not exist.
func (w *world) object() map[string]any { return w.server.Object(path("a", "")) }

// annotations are the names of those of the operator.
func (w *world) annotations() string {
	var names []string
	for name := range tree.Object(w.object(), "metadata", "annotations") {
		names = append(names, strings.TrimPrefix(name, prefix+"/"))
	}
	return strings.Join(names, " ")
}

// entry is what the reactor remembers of the object with the name.
func (w *world) entry(name string) (entry, bool) {
	o, err := w.rules.Object(encoded(w.server.Object(path(name, ""))))
	if err != nil {
		w.t.Fatal(err)
	}
	w.reactor.mu.Lock()
	defer w.reactor.mu.Unlock()
	e, ok := w.reactor.objects[o.Key()]
	return e, ok
}

// work is what the reactor has of the object in progress, or nil.
func (w *world) work() *work {
	o, err := w.rules.Object(encoded(w.object()))
	if err != nil {
		w.t.Fatal(err)
	}
	w.reactor.mu.Lock()
	defer w.reactor.mu.Unlock()
	return w.reactor.works[o.Key()]
}

// atRest checks that nothing goes on, nothing is kept, and the object was handled as it is.
func (w *world) atRest() {
	w.t.Helper()
	synctest.Wait()
	if known, busy := w.reactor.Known(); busy != 0 {
		w.t.Errorf("%d of %d objects are still in progress", busy, known)
	}
	if used := w.budget.used.Load(); used != 0 {
		w.t.Errorf("%d bytes are kept at rest", used)
	}
}

// called are the calls since the last time.
func (w *world) called() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	calls := w.calls
	w.calls = nil
	return calls
}

// requested are the requests since the last time. Their numbers go on.
func (w *world) requested() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	requests := w.requests
	w.requests = nil
	return requests
}

func (w *world) logged(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Contains(w.log.String(), text)
}

// lockedLog is the log of the world.
type lockedLog struct{ w *world }

func (l *lockedLog) Write(p []byte) (int, error) {
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	return l.w.log.Write(p)
}

// spec is the spec in an object's JSON.
func spec(object []byte) string {
	decoded, err := tree.DecodeObject(object)
	if err != nil {
		return err.Error()
	}
	return string(encoded(decoded["spec"]))
}

func encoded(value any) []byte {
	data, err := tree.Encode(value)
	if err != nil {
		panic(err)
	}
	return data
}

// The handlers of the tests.

type ctx = context.Context

func on(kind progress.Kind, id string, run handling.Func) handling.Handler {
	return handling.Handler{ID: id, On: kind, Run: run}
}

// fine succeeds.
func fine(context.Context, *handling.Attempt) handling.Outcome { return handling.Outcome{} }

// failing fails with the errors, one after the other, and then succeeds.
func failing(errs ...error) handling.Func {
	return func(context.Context, *handling.Attempt) handling.Outcome {
		if len(errs) == 0 {
			return handling.Outcome{}
		}
		err := errs[0]
		errs = errs[1:]
		return handling.Outcome{Err: err}
	}
}

// slow takes a while.
func slow(work func()) handling.Func {
	return func(context.Context, *handling.Attempt) handling.Outcome {
		work()
		return handling.Outcome{}
	}
}
