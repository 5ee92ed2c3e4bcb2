package daemon

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// errDown is the error of an API server that does not answer.
var errDown = errors.New("the server is down")

// object is an Object whose states are numbers. It keeps what is written.
type object struct {
	mu sync.Mutex
	// state is the newest.
	state uint64
	// down is how many of the next writes fail.
	down int
	// writes are the times of all that succeeded, wakes and rests count the calls.
	writes       []time.Time
	wakes, rests int
}

func (o *object) Begin(h *Handler) (*handling.Attempt, uint64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return &handling.Attempt{ID: h.ID, Logger: o.Logger()}, o.state, nil
}

func (o *object) Newest() ([]byte, uint64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return []byte{byte('0' + o.state)}, o.state, nil
}

func (o *object) Plan(_ *Handler, _ *handling.Attempt, out handling.Outcome) (*patch.Plan, error) {
	plan := new(patch.Plan)
	if out.Result != nil {
		plan.AddMerge(map[string]any{"status": string(out.Result)})
	}
	return plan, nil
}

func (o *object) Write(_ *Handler, plan *patch.Plan) (*patch.Plan, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case plan.Empty():
	case o.down > 0:
		o.down--
		return plan, errDown
	default:
		o.writes = append(o.writes, time.Now())
	}
	return nil, nil
}

func (o *object) Wake() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.wakes++
}

func (o *object) Rest() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rests++
}

func (o *object) Logger() *slog.Logger { return slog.New(slog.DiscardHandler) }

// calls runs every call at once, each in a goroutine of its own.
type calls struct{}

func (calls) Go(call func()) { go call() }

// stage is one object and the group that runs beside it.
type stage struct {
	*Group
	*object
	set *Set
	// matching is what the next Match gets.
	matching Matching
}

// start begins the handlers beside an object that they are all for.
func start(t *testing.T, handlers ...Handler) *stage {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	s := &stage{Group: NewGroup(Config{Handlers: handlers, Context: ctx, Calls: calls{}}), object: &object{state: 1}}
	s.set = s.Set(skim.Key{1}, s.object, 1, time.Now())
	s.matching = Matching{Finalizer: true, For: make([]bool, len(handlers)), Begin: s.first, State: 1}
	for i := range handlers {
		s.matching.For[i] = true
	}
	s.match()
	return s
}

func (s *stage) first(h *Handler) *handling.Attempt {
	return &handling.Attempt{ID: h.ID, Logger: s.Logger()}
}

func (s *stage) match() (held bool) { return s.set.Match(s.matching) }

// changed gives the object another state.
func (s *stage) changed() {
	s.mu().Lock()
	s.state++
	state := s.state
	s.mu().Unlock()
	s.set.News(state)
	s.set.Changed(time.Now())
}

func (s *stage) mu() *sync.Mutex { return &s.object.mu }

// handler is one with an id that calls run.
func handler(run handling.Func) Handler {
	return Handler{Handler: handling.Handler{ID: "one", Run: run, Policy: kopf.Policy{Backoff: kopf.Backoff{From: time.Minute}}}}
}

// obedient is a daemon that ends when it is told to.
func obedient(_ context.Context, a *handling.Attempt) handling.Outcome {
	<-a.Beside.Stopped().Done()
	return handling.Outcome{}
}

// inline runs one call at a time.
type inline struct{ mu sync.Mutex }

func (i *inline) Go(call func()) {
	go func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		call()
	}()
}
