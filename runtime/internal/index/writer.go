package index

// Table is what one function keeps in an index, whatever the types of the index are.
type Table interface {
	// Remove removes the rows of an object, if it has any.
	Remove(Object)
}

// Writer puts into an index what one function returns. An index may have several: each knows only its own rows, so that functions that share
// an index do not undo one another's work, even for one object. It is safe for concurrent use.
type Writer[K comparable, V any] struct {
	index *Index[K, V]
	// rows, guarded by the lock of the index, are the function's by object.
	rows map[Object][]*row[K, V]
}

// NewWriter returns another writer of the index.
func (ix *Index[K, V]) NewWriter() *Writer[K, V] {
	return &Writer[K, V]{index: ix, rows: map[Object][]*row[K, V]{}}
}

// Replace makes rows, which are copied, all that the function has to say of an object. Keys without values do not count.
func (w *Writer[K, V]) Replace(object Object, rows map[K][]V) {
	w.index.mu.Lock()
	defer w.index.mu.Unlock()
	was := w.rows[object]
	// The object mostly has the keys that it had before.
	now := make([]*row[K, V], 0, len(rows))
	known := make(map[K]bool, len(was))
	for _, r := range was {
		known[r.key] = true
		if values := rows[r.key]; len(values) > 0 {
			w.index.alter(r, values)
			now = append(now, r)
		} else {
			w.index.take(r)
		}
	}
	for key, values := range rows {
		if len(values) > 0 && !known[key] {
			now = append(now, w.index.put(key, values))
		}
	}
	if len(now) == 0 {
		delete(w.rows, object)
		return
	}
	w.rows[object] = now
}

// Remove removes what the function has said of an object.
func (w *Writer[K, V]) Remove(object Object) {
	w.index.mu.Lock()
	defer w.index.mu.Unlock()
	for _, r := range w.rows[object] {
		w.index.take(r)
	}
	delete(w.rows, object)
}
