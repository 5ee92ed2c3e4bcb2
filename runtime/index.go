package kopf

import "iter"

// Index is what the operator's objects look like by key: an index handler says under which keys, and as what, each object is found, and
// any other handler may take the index as a parameter that is named after it. It is complete before the first handler other than those of
// indexes is called. It is an interface so that a test can put a map in its place.
type Index[K comparable, V any] interface {
	// Get yields the values under a key, in no particular order; none if there is no such key.
	Get(key K) iter.Seq[V]
	// Has tells whether there is a value under the key.
	Has(key K) bool
	// Keys yields the keys, in no particular order.
	Keys() iter.Seq[K]
	// Len returns the number of keys.
	Len() int
}
