package stream_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/stream"
)

var examples = api.Resource{Group: "kopf.dev", Version: "v1", Plural: "kopfexamples", Kind: "KopfExample", Namespaced: true}

// sink writes down what it is told, one word per call.
type sink struct {
	mu    sync.Mutex
	words []string
	on    func(stream.Event)
	// distrusts are the versions of lists that are to be read once more.
	distrusts []string
}

func (s *sink) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.words = append(s.words, fmt.Sprintf(format, args...))
}

func (s *sink) said() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.words...)
}

func (s *sink) Restart() { s.say("restart") }
func (s *sink) Synced(version string) bool {
	s.say("synced@%s", version)
	return !slices.Contains(s.distrusts, version)
}
func (s *sink) Deliver(ev stream.Event) {
	s.say("%s:%s@%s", strings.ToLower(string(ev.Type)), ev.Object.Name, ev.Object.Version)
	if s.on != nil {
		s.on(ev)
	}
}
func (s *sink) Trouble(err error) {
	if err == nil {
		s.say("works")
		return
	}
	// What is corrupt is told in the words of a library, and requests have a random part.
	text, _, _ := strings.Cut(err.Error(), " corrupt")
	s.say("trouble(%s)", query.ReplaceAllString(text, ""))
}

var query = regexp.MustCompile(`\?[^"]*`)

// step answers one request.
type step func(w http.ResponseWriter, r *http.Request)

// exchange is what came of a script.
type exchange struct {
	words    []string
	requests []string
	times    []time.Duration // of the requests
	stats    stream.Stats
}

// play runs a watcher against a server that answers by the script, until the script is at its end. It must be called in a bubble.
func play(t *testing.T, change func(*stream.Config), script ...step) exchange {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var x exchange
	start := time.Now()
	client := apitest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(script) == 0 {
			cancel()
			<-r.Context().Done()
			return
		}
		next := script[0]
		script = script[1:]
		x.requests = append(x.requests, describe(r.URL))
		x.times = append(x.times, time.Since(start))
		w.Header().Set("Content-Type", "application/json")
		next(w, r)
	}))
	s := &sink{}
	c := stream.Config{Client: client, Resource: examples, Rules: skim.Compile(skim.Config{}), Sink: s, Logger: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&c)
	}
	w := stream.New(c)
	w.Run(ctx)
	x.words, x.stats = s.said(), w.Stats()
	return x
}

// describe shortens a request to what the tests are about.
func describe(u *url.URL) string {
	q := u.Query()
	switch {
	case !q.Has("watch"):
		return strings.TrimSuffix("page "+q.Get("limit")+" "+q.Get("continue"), " ")
	case q.Has("sendInitialEvents"):
		return "list"
	}
	return "watch " + q.Get("resourceVersion")
}

func object(name string, version int) string {
	return fmt.Sprintf(`{"metadata":{"name":%q,"uid":%q,"resourceVersion":"%d"}}`, name, name, version)
}

func event(typ, name string, version int) string {
	return fmt.Sprintf(`{"type":%q,"object":%s}`, typ, object(name, version))
}

func bookmark(version int) string {
	return fmt.Sprintf(`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"%d"}}}`, version)
}

func endOfList(version int) string {
	return fmt.Sprintf(`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"%d","annotations":{"k8s.io/initial-events-end":"true"}}}}`, version)
}

func status(code int, reason, details string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"said the server","reason":%q,"code":%d,"details":{%s}}`, reason, code, details)
}

// send writes the lines, one after another, and ends the answer.
func send(lines ...string) step {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, line := range lines {
			_, _ = w.Write([]byte(line + "\n"))
			w.(http.Flusher).Flush()
		}
	}
}

// then does one thing after another within an answer.
func then(steps ...step) step {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, next := range steps {
			next(w, r)
		}
	}
}

// wait lets time pass, in which the client may go away.
func wait(d time.Duration) step {
	return func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
	}
}

// cut breaks the connection.
func cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// raw writes text as it is, without a line end.
func raw(text string) step {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(text))
		w.(http.Flusher).Flush()
	}
}

// fail answers with an error.
func fail(code int, reason string) step { return failWith(code, reason, "") }

func failWith(code int, reason, details string) step {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(code)
		_, _ = w.Write([]byte(status(code, reason, details)))
	}
}

// listed answers with a complete list of a, as of version 10, after which the watch ends as it should.
func listed(w http.ResponseWriter, r *http.Request) {
	then(send(event("ADDED", "a", 3), endOfList(10)), wait(time.Minute))(w, r)
}

// quiet is a watch without news that ends as it should.
func quiet(w http.ResponseWriter, r *http.Request) { wait(time.Minute)(w, r) }
