package reactor

import (
	"context"
	"sync"
)

// Turns bounds how many objects an operator handles at once, over all its resources. The queue of waiting turns holds each object at
// most once, so it is bounded by their number; no goroutine waits.
type Turns struct {
	mu      sync.Mutex
	limit   int
	running int
	waiting queue[func()]
	closed  bool
	ended   chan struct{} // closed when the last turn ends after Close
}

// NewTurns returns turns of which at most limit run at once.
func NewTurns(limit int) *Turns { return &Turns{limit: limit, ended: make(chan struct{})} }

// Go runs the turn now, or as soon as others have ended. After Close it does nothing.
func (t *Turns) Go(turn func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
	case t.running < t.limit:
		t.running++
		go t.work(turn)
	default:
		t.waiting.push(turn)
	}
}

// work runs one turn after the other while any waits.
func (t *Turns) work(turn func()) {
	for ok := true; ok; turn, ok = t.next() {
		turn()
	}
}

func (t *Turns) next() (func(), bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if turn, ok := t.waiting.pop(); ok {
		return turn, true
	}
	t.running--
	if t.closed && t.running == 0 {
		close(t.ended)
	}
	return nil, false
}

// Close drops the turns that wait and refuses new ones.
func (t *Turns) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.closed = true
	t.waiting = queue[func()]{}
	if t.running == 0 {
		close(t.ended)
	}
}

// Wait returns once all turns have ended after Close, or with the context's error.
func (t *Turns) Wait(ctx context.Context) error {
	select {
	case <-t.ended:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Running returns how many turns run and how many wait.
func (t *Turns) Running() (running, waiting int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running, t.waiting.len()
}
