package reactor

// queue is a first-in first-out queue that gives its memory back when it is empty.
type queue[T any] struct {
	items []T
	head  int
}

func (q *queue[T]) len() int { return len(q.items) - q.head }

func (q *queue[T]) push(item T) { q.items = append(q.items, item) }

func (q *queue[T]) pop() (T, bool) {
	var none T
	if q.len() == 0 {
		return none, false
	}
	item := q.items[q.head]
	q.items[q.head] = none
	q.head++
	switch {
	case q.head == len(q.items):
		*q = queue[T]{}
	case q.head > 64 && q.head > len(q.items)/2:
		q.items = append([]T(nil), q.items[q.head:]...)
		q.head = 0
	}
	return item, true
}
