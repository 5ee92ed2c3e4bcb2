package operator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var things = api.Resource{Group: "demo.kopf.dev", Version: "v1", Plural: "things", Kind: "Thing", Namespaced: true, HasStatus: true}

var (
	permanently = kopf.Policy{Errors: kopf.ErrorsPermanent}
	errRefused  = errors.New("refused")
)

func refuse(context.Context, *Startup) (any, error) { return nil, errRefused }

// stage is an operator in virtual time beside an API server in memory.
type stage struct {
	t       *testing.T
	server  *apitest.Server
	began   time.Time
	options Options
	// absent has the server not know the resource yet; anonymous has operators run without a configuration.
	absent, anonymous bool
	// quiet keeps the first request out of the diary, where it has no certain order.
	quiet bool

	mu      sync.Mutex
	diary   []string // what happened, with the second
	agents  []string
	watches int
	log     bytes.Buffer
	stop    context.CancelFunc
	result  error
	stopped chan struct{}
}

func newStage(t *testing.T) *stage {
	s := &stage{t: t, server: apitest.NewServer(things), began: time.Now(), stopped: make(chan struct{})}
	s.options.Logger = slog.New(slog.NewTextHandler(lockedLog{s}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.log.String())
		}
	})
	return s
}

type lockedLog struct{ s *stage }

func (l lockedLog) Write(p []byte) (int, error) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.s.log.Write(p)
}

// note writes into the diary.
func (s *stage) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.diary = append(s.diary, fmt.Sprintf("%.0fs %s", time.Since(s.began).Seconds(), fmt.Sprintf(format, args...)))
}

// ServeHTTP notes the first request.
func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	first, absent := len(s.agents) == 0, s.absent
	s.agents = append(s.agents, r.UserAgent())
	if r.URL.Query().Has("watch") {
		s.watches++
	}
	s.mu.Unlock()
	if first && !s.quiet {
		s.note("first request")
	}
	if absent {
		http.NotFound(w, r)
		return
	}
	s.server.ServeHTTP(w, r)
}

// run starts operators; they end with the test.
func (s *stage) run(definitions ...Definition) {
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	cfg := apitest.Config(s.t, s)
	if s.anonymous {
		cfg = nil
	}
	go func() {
		defer close(s.stopped)
		s.result = Run(ctx, cfg, s.options, definitions...)
		s.note("end")
	}()
	s.t.Cleanup(func() { cancel(); <-s.stopped })
}

// end stops the operators and returns their error.
func (s *stage) end() error {
	s.stop()
	<-s.stopped
	return s.result
}

func (s *stage) create(namespace, name string) {
	s.t.Helper()
	doc := fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"size":1}}`, name)
	if _, err := s.server.Do("POST", things.Path(namespace, "", ""), "", []byte(doc)); err != nil {
		s.t.Fatal(err)
	}
}

// happened compares the diary with what should be in it.
func (s *stage) happened(want ...string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := cmp.Diff(want, s.diary); d != "" {
		s.t.Errorf("(-want +got):\n%s", d)
	}
	s.diary = nil
}

// activity notes its calls and returns the errors, one after the other.
func (s *stage) activity(id string, on Kind, errs ...error) Activity {
	return Activity{ID: id, On: on, Run: func(context.Context, *Startup) (any, error) {
		s.note("%s", id)
		if len(errs) == 0 {
			return nil, nil
		}
		err := errs[0]
		errs = errs[1:]
		return nil, err
	}}
}

// handler notes its calls and does the work.
func (s *stage) handler(id string, on Kind, work func(context.Context) error) Handler {
	return Handler{ID: id, On: on, Run: Bind(func(ctx context.Context, c *Call[None]) (any, error) {
		s.note("%s %s/%s", id, c.Namespace(), c.Name())
		if work == nil {
			return nil, nil
		}
		err := work(ctx)
		s.note("%s returns", id)
		return nil, err
	})}
}

func definition(handlers ...Handler) Definition {
	return Definition{Name: "test", Resources: []Resource{{
		Group: things.Group, Version: things.Version, Kind: things.Kind, Plural: things.Plural, Namespaced: true, Handlers: handlers,
	}}}
}

// annotations are the sorted names of those of an object.
func (s *stage) annotations(name string) string {
	var names []string
	for key := range tree.Object(s.server.Object(things.Path("ns", name, "")), "metadata", "annotations") {
		names = append(names, key)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
