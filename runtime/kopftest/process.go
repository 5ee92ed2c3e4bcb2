package kopftest

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// processes are the lives of the operator.
type processes struct {
	mu      sync.Mutex
	running *process // nil if the operator is stopped
	twin    *process // a second copy, in an exploration
	closed  bool     // the test is over: nothing comes back
	// ended waits for what killed processes leave running for a while, and for what brings them back.
	ended sync.WaitGroup
}

// process is one life of the operator. It has a connection of its own to the server, which a crash cuts for good.
type process struct {
	stage  *Stage
	cancel context.CancelFunc
	dead   atomic.Bool
	done   chan struct{} // closed when it has ended; err is valid from then on
	err    error
}

// breath is longer than nothing, so that all that happens at one moment of virtual time has happened.
const breath = time.Millisecond

// ServeHTTP implements http.Handler: it is the way of the process to the server.
func (p *process) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.dead.Load() {
		time.Sleep(breath)
		panic(http.ErrAbortHandler)
	}
	p.stage.faults.serve(w, r, p)
}

// spawn starts a process with fresh definitions.
func (s *Stage) spawn() *process {
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{stage: s, cancel: cancel, done: make(chan struct{})}
	config := apitest.Config(s.t, p)
	definitions := make([]operator.Definition, len(s.definitions))
	for i, definition := range s.definitions {
		definitions[i] = definition()
		if s.explored != nil {
			s.explored.observe(s, &definitions[i])
		}
	}
	options := operator.Options{Namespaces: s.options.Namespaces, Settings: s.options.Settings, Logger: s.timeline.logger()}
	go func() {
		defer close(p.done)
		p.err = operator.Run(ctx, rest.CopyConfig(config), options, definitions...)
	}()
	return p
}

// Start starts the operator after [Stage.Stop] or [Stage.Crash], as a new process: with fresh definitions, and with what it left in the
// objects. What the author's package keeps in variables stays.
func (s *Stage) Start() {
	s.t.Helper()
	s.processes.mu.Lock()
	if s.processes.running != nil {
		s.processes.mu.Unlock()
		s.t.Fatal("the operator runs already")
	}
	s.timeline.add("test", "the operator starts")
	s.processes.running = s.spawn()
	s.processes.mu.Unlock()
	synctest.Wait()
}

// Stop tells the operator to stop and returns when it has; handlers may finish, within the grace period of its settings. A failure of the
// operator fails the test. It does nothing if the operator is stopped.
func (s *Stage) Stop() {
	s.t.Helper()
	s.processes.mu.Lock()
	running, twin := s.processes.running, s.processes.twin
	s.processes.running, s.processes.twin = nil, nil
	s.processes.mu.Unlock()
	for _, p := range []*process{running, twin} {
		if p == nil {
			continue
		}
		s.timeline.add("test", "the operator is told to stop")
		p.cancel()
		<-p.done
		if p.err != nil && !p.dead.Load() {
			s.t.Errorf("the operator failed: %v", p.err)
		}
	}
	synctest.Wait()
}

// Restart stops the operator and starts it again.
func (s *Stage) Restart() {
	s.t.Helper()
	s.Stop()
	s.Start()
}

// Crash ends the operator as the loss of its machine does: no request of it reaches the server any more, and no handler begins. What a
// handler does that is running already goes on until it returns, since a goroutine cannot be killed. [Stage.Start] starts the next process.
func (s *Stage) Crash() {
	s.t.Helper()
	s.processes.mu.Lock()
	p := s.processes.running
	s.processes.running = nil
	s.processes.mu.Unlock()
	if p == nil {
		return
	}
	s.timeline.add("test", "the operator crashes")
	s.kill(p)
	synctest.Wait()
}

// kill cuts a process off. What is left of it ends by itself.
func (s *Stage) kill(p *process) {
	p.dead.Store(true)
	p.cancel()
	s.faults.cut(p)
	s.processes.ended.Go(func() { <-p.done })
}

// downtime is how long it takes until a process that was killed by a disturbance is started again.
const downtime = time.Second

// strike kills the process of a request, and has another take its place in a moment unless the test has done something about it by then.
func (s *Stage) strike(p *process) {
	s.kill(p)
	s.processes.ended.Go(func() {
		time.Sleep(downtime)
		s.processes.mu.Lock()
		defer s.processes.mu.Unlock()
		for _, place := range []**process{&s.processes.running, &s.processes.twin} {
			if *place == p && !s.processes.closed {
				s.timeline.add("fault", "another process starts")
				*place = s.spawn()
			}
		}
	})
}

// double starts a second copy of the operator.
func (s *Stage) double() {
	s.processes.mu.Lock()
	defer s.processes.mu.Unlock()
	if s.processes.running != nil && s.processes.twin == nil && !s.processes.closed {
		s.processes.twin = s.spawn()
	}
}
