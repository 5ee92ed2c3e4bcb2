package daemon

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// stopper tells a daemon or a timer that it is to end, and why. It is a kopf.Stopped.
type stopper struct {
	done chan struct{}

	mu      sync.Mutex
	reasons []kopf.StopReason
}

func newStopper() *stopper { return &stopper{done: make(chan struct{})} }

func (s *stopper) Done() <-chan struct{} { return s.done }

func (s *stopper) Reasons() []kopf.StopReason {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.reasons)
}

// add adds a reason, each once, and tells whether it is the first of all.
func (s *stopper) add(reason kopf.StopReason) (first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.reasons, reason) {
		return false
	}
	s.reasons = append(s.reasons, reason)
	if len(s.reasons) > 1 {
		return false
	}
	close(s.done)
	return true
}

func (s *stopper) stopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.reasons) > 0
}

// cause is the error that contexts end with.
func (s *stopper) cause() error {
	var names []string
	for _, reason := range s.Reasons() {
		names = append(names, string(reason))
	}
	return fmt.Errorf("told to stop: %s", strings.Join(names, "|"))
}
