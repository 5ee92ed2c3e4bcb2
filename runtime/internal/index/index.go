// Package index keeps what the index functions of an operator return: for each object of the cluster, values under keys. Handlers read an
// index while turns change it. It stands beside the way of an event: package reactor has the functions called and passes on what they
// return; it also asks the Gate, which keeps all other handlers waiting until the indexes are complete.
package index

import (
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

// Object identifies an object of the cluster; it is a key of package skim.
type Object = [16]byte

// Index is a table of values by key. What it holds of an object is replaced as a whole, in time proportional to the number of the object's
// keys, however many values others have under the same keys. Readers get snapshots: a range over values or keys sees those of one moment,
// and may take as long as it likes. All methods are safe for concurrent use.
type Index[K comparable, V any] struct {
	mu      sync.RWMutex
	shelves map[K]*shelf[K, V]
	// keys is a snapshot of the keys of shelves, nil if they have changed since.
	keys atomic.Pointer[[]K]
}

// shelf is what is under one key. A shelf is never empty.
type shelf[K comparable, V any] struct {
	rows []*row[K, V]
	// values is a snapshot of the values of all rows, nil if they have changed since.
	values atomic.Pointer[[]V]
}

// row is what one object has under one key, according to one function.
type row[K comparable, V any] struct {
	key K
	// values are never changed, so that readers can go on with them.
	values []V
	// place is where the row is on its shelf.
	place int
}

// New returns an empty index.
func New[K comparable, V any]() *Index[K, V] { return &Index[K, V]{shelves: map[K]*shelf[K, V]{}} }

// Get yields the values under a key, in no particular order.
func (ix *Index[K, V]) Get(key K) iter.Seq[V] {
	return func(yield func(V) bool) {
		for _, v := range ix.values(key) {
			if !yield(v) {
				return
			}
		}
	}
}

// values returns a snapshot of what is under a key. It is made once for all readers between two changes.
func (ix *Index[K, V]) values(key K) []V {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	s := ix.shelves[key]
	switch {
	case s == nil:
		return nil
	case len(s.rows) == 1:
		return s.rows[0].values
	}
	if made := s.values.Load(); made != nil {
		return *made
	}
	var all []V
	for _, r := range s.rows {
		all = append(all, r.values...)
	}
	s.values.Store(&all)
	return all
}

// Has tells whether there is a value under the key.
func (ix *Index[K, V]) Has(key K) bool {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.shelves[key] != nil
}

// Keys yields the keys that have values, in no particular order.
func (ix *Index[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		for _, key := range ix.allKeys() {
			if !yield(key) {
				return
			}
		}
	}
}

func (ix *Index[K, V]) allKeys() []K {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if made := ix.keys.Load(); made != nil {
		return *made
	}
	all := make([]K, 0, len(ix.shelves))
	for key := range ix.shelves {
		all = append(all, key)
	}
	ix.keys.Store(&all)
	return all
}

// Len returns the number of keys that have values.
func (ix *Index[K, V]) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return len(ix.shelves)
}

// put adds a row. The lock is held.
func (ix *Index[K, V]) put(key K, values []V) *row[K, V] {
	s, ok := ix.shelves[key]
	if !ok {
		s = new(shelf[K, V])
		ix.shelves[key] = s
		ix.keys.Store(nil)
	}
	r := &row[K, V]{key: key, values: slices.Clone(values), place: len(s.rows)}
	s.rows = append(s.rows, r)
	s.values.Store(nil)
	return r
}

// alter gives a row other values. The lock is held.
func (ix *Index[K, V]) alter(r *row[K, V], values []V) {
	r.values = slices.Clone(values)
	ix.shelves[r.key].values.Store(nil)
}

// take removes a row, and its shelf if that is empty then. The lock is held.
func (ix *Index[K, V]) take(r *row[K, V]) {
	s := ix.shelves[r.key]
	last := len(s.rows) - 1
	s.rows[r.place] = s.rows[last]
	s.rows[r.place].place = r.place
	s.rows[last] = nil
	s.rows = s.rows[:last]
	s.values.Store(nil)
	if last == 0 {
		delete(ix.shelves, r.key)
		ix.keys.Store(nil)
	}
}
