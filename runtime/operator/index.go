package operator

import (
	"context"
	"iter"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/index"
)

// Index is an index that functions bound with [BindIndex] fill, and that other handlers read as a kopf.Index. Make it with [NewIndex]. What it
// holds is shared by all who read it, so none of them may change what a value points to.
type Index[K comparable, V any] struct {
	id   string
	rows *index.Index[K, V]
}

// NewIndex returns an empty index. Generated code makes one for each id of an operator, however many functions fill it.
func NewIndex[K comparable, V any](id string) *Index[K, V] {
	return &Index[K, V]{id: id, rows: index.New[K, V]()}
}

// Get yields the values under a key, in no particular order. A range over them sees those of one moment.
func (ix *Index[K, V]) Get(key K) iter.Seq[V] { return ix.rows.Get(key) }

// Has tells whether there is a value under the key.
func (ix *Index[K, V]) Has(key K) bool { return ix.rows.Has(key) }

// Keys yields the keys that have values, in no particular order. A range over them sees those of one moment.
func (ix *Index[K, V]) Keys() iter.Seq[K] { return ix.rows.Keys() }

// Len returns the number of keys that have values.
func (ix *Index[K, V]) Len() int { return ix.rows.Len() }

// BindIndex makes a handler of a bound method that says what its object looks like in an index. What it returns takes the place of what the
// object had there; nothing removes that; an error is for the handler's policy to judge, and as long as it is ignored the object keeps
// what it had.
func BindIndex[V any, K comparable, X any](ix *Index[K, X], fn func(context.Context, *Call[V]) (map[K][]X, error)) Func {
	w := ix.rows.NewWriter()
	run := func(ctx context.Context, a *handling.Attempt) handling.Outcome {
		c, err := newCall[V](a)
		if err != nil {
			return handling.Outcome{Err: err}
		}
		rows, err := fn(ctx, c)
		if err != nil {
			return handling.Outcome{Err: err}
		}
		return handling.Outcome{Rows: func(object index.Object) { w.Replace(object, rows) }}
	}
	return Func{run: run, index: ix.id, table: w}
}

// Row is what an index function returns that has one key for its object.
func Row[K comparable, X any](key K, value X) map[K][]X { return map[K][]X{key: {value}} }

// RowIf is Row if ok, and no row if not.
func RowIf[K comparable, X any](key K, value X, ok bool) map[K][]X {
	if !ok {
		return nil
	}
	return Row(key, value)
}

// Rows is what an index function returns that has one value for each of its keys.
func Rows[K comparable, X any](rows map[K]X) map[K][]X {
	out := make(map[K][]X, len(rows))
	for key, value := range rows {
		out[key] = []X{value}
	}
	return out
}
