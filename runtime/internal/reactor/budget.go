package reactor

import "sync/atomic"

// Budget bounds the bytes of the objects that are kept while they are in progress, over all resources of an operator. A state that
// does not fit is read again when its turn comes.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// NewBudget returns a budget of limit bytes.
func NewBudget(limit int) *Budget { return &Budget{limit: int64(limit)} }

// take reserves n bytes and tells whether they fit.
func (b *Budget) take(n int) bool {
	if b.used.Add(int64(n)) <= b.limit {
		return true
	}
	b.used.Add(-int64(n))
	return false
}

// give returns n bytes.
func (b *Budget) give(n int) { b.used.Add(-int64(n)) }
