package main

import "sync"

// Stock is where the items are. All handlers share it.
type Stock struct {
	mu       sync.Mutex
	counting bool
	taken    int
}

// warehouse is the stock of this process.
var warehouse = &Stock{}

// Open is called when the operator starts.
//
// +kopf:on=startup
func Open() *Stock { return warehouse }

// Take takes pieces out of the stock.
func (s *Stock) Take(pieces int) error { return s.move(pieces) }

// Put puts pieces back.
func (s *Stock) Put(pieces int) error { return s.move(-pieces) }

func (s *Stock) move(pieces int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counting {
		return errCounting
	}
	s.taken += pieces
	return nil
}

// Count begins or ends the counting.
func (s *Stock) Count(counting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counting = counting
}

// Taken is how many pieces are not in the stock.
func (s *Stock) Taken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}
