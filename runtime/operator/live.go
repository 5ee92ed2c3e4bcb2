package operator

import (
	"fmt"
	"sync"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// Stopped tells a daemon or a timer that it is to end. To other handlers it never says so.
func (c *Call[V]) Stopped() kopf.Stopped {
	if c.attempt.Beside == nil {
		return never{}
	}
	return c.attempt.Beside.Stopped()
}

// Live follows the object of a daemon or a timer, or the part of it that the path leads to, "spec" or "status"; a part that is absent is the
// zero value. For other handlers the object stays as it was when they were called.
func Live[T, V any](c *Call[V], path ...string) kopf.Live[T] {
	l := &live[T]{path: path, newest: func() ([]byte, <-chan struct{}, error) { return c.attempt.Object, nil, nil }}
	if b := c.attempt.Beside; b != nil {
		l.newest, l.newer = b.Newest, b.Newer()
	}
	return l
}

// live decodes the newest state. The goroutines of one daemon may share it.
type live[T any] struct {
	path   []string
	newest func() (raw []byte, newer <-chan struct{}, err error)

	mu    sync.Mutex
	newer <-chan struct{}
}

func (l *live[T]) Get() (T, error) {
	raw, newer, err := l.newest()
	if err != nil {
		var none T
		return none, err
	}
	l.mu.Lock()
	l.newer = newer
	l.mu.Unlock()
	out, err := part[T](raw, l.path)
	if err != nil {
		return out, fmt.Errorf("the object %w", err)
	}
	return out, nil
}

func (l *live[T]) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newer
}

// never stops nothing.
type never struct{}

func (never) Done() <-chan struct{}      { return nil }
func (never) Reasons() []kopf.StopReason { return nil }
