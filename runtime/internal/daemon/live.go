package daemon

import (
	kopf "github.com/kopfgen/kopfgen/runtime"
)

// beside is what an attempt has beside the object: a handling.Beside.
type beside struct {
	set     *Set
	stopper *stopper
	// state is the number of the state that the attempt began with.
	state uint64
}

func (b *beside) Stopped() kopf.Stopped { return b.stopper }

func (b *beside) Newer() <-chan struct{} { return b.set.after(b.state) }

func (b *beside) Newest() ([]byte, <-chan struct{}, error) {
	raw, state, err := b.set.current().Newest()
	if err != nil {
		return nil, nil, err
	}
	return raw, b.set.after(state), nil
}

// closed is the channel of states that have a newer one.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// after returns a channel that is closed as soon as the newest state is not the one of the number. From now on, the newest is kept at hand.
func (s *Set) after(state uint64) <-chan struct{} {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	s.followed = true
	if s.state != state {
		return closed
	}
	if s.newer == nil {
		s.newer = make(chan struct{})
	}
	return s.newer
}
