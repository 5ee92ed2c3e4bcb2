package index

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
)

func object(n int) Object { return Object{byte(n), byte(n >> 8)} }

// contents returns everything that readers see, values in order.
func contents(ix *Index[string, int]) map[string][]int {
	out := map[string][]int{}
	for key := range ix.Keys() {
		out[key] = slices.Sorted(ix.Get(key))
	}
	return out
}

func TestRows(t *testing.T) {
	ix := New[string, int]()
	w := ix.NewWriter()
	for _, step := range []struct {
		name string
		do   func()
		want map[string][]int
	}{
		{"an object comes", func() { w.Replace(object(1), map[string][]int{"a": {1}, "b": {1}}) }, map[string][]int{"a": {1}, "b": {1}}},
		{"another shares a key", func() { w.Replace(object(2), map[string][]int{"a": {2, 3}}) }, map[string][]int{"a": {1, 2, 3}, "b": {1}}},
		{"values change", func() { w.Replace(object(1), map[string][]int{"a": {7}, "b": {1}}) }, map[string][]int{"a": {2, 3, 7}, "b": {1}}},
		{"keys change", func() { w.Replace(object(1), map[string][]int{"c": {7}}) }, map[string][]int{"a": {2, 3}, "c": {7}}},
		{"a key without values", func() { w.Replace(object(1), map[string][]int{"c": {}}) }, map[string][]int{"a": {2, 3}}},
		{"nothing", func() { w.Replace(object(2), nil) }, map[string][]int{}},
		{"an object that is not there goes", func() { w.Remove(object(3)) }, map[string][]int{}},
	} {
		step.do()
		if got := contents(ix); !reflect.DeepEqual(got, step.want) {
			t.Errorf("%s: %v instead of %v", step.name, got, step.want)
		}
		if ix.Len() != len(step.want) {
			t.Errorf("%s: %d keys instead of %d", step.name, ix.Len(), len(step.want))
		}
	}
	if len(w.rows) != 0 || ix.Has("a") {
		t.Error("something is left of objects that are gone")
	}
}

// TestWritersShare has two functions speak of one object.
func TestWritersShare(t *testing.T) {
	ix := New[string, int]()
	one, two := ix.NewWriter(), ix.NewWriter()
	one.Replace(object(1), map[string][]int{"a": {1}})
	two.Replace(object(1), map[string][]int{"a": {2}})
	if got := contents(ix); !reflect.DeepEqual(got, map[string][]int{"a": {1, 2}}) {
		t.Errorf("the functions do not share the index: %v", got)
	}
	one.Remove(object(1))
	if got := contents(ix); !reflect.DeepEqual(got, map[string][]int{"a": {2}}) {
		t.Errorf("the rows of the other function are not as they were: %v", got)
	}
}

func TestReadersHaveSnapshots(t *testing.T) {
	ix := New[string, int]()
	w := ix.NewWriter()
	for n := range 3 {
		w.Replace(object(n), map[string][]int{"a": {n}, fmt.Sprint(n): {n}})
	}
	var seen []int
	for v := range ix.Get("a") {
		// A reader may change what it reads, by way of a handler that it calls.
		w.Replace(object(v), map[string][]int{"a": {v + 10}})
		seen = append(seen, v)
	}
	if slices.Sort(seen); !slices.Equal(seen, []int{0, 1, 2}) {
		t.Errorf("values that came meanwhile were seen: %v", seen)
	}
	for key := range ix.Keys() {
		for n := range 3 {
			w.Remove(object(n))
		}
		if slices.Collect(ix.Get(key)) != nil {
			t.Errorf("key %q has values of objects that are gone", key)
		}
	}
	for range ix.Get("a") {
		t.Error("there are values of objects that are gone")
	}
}

func TestWhatIsPassedInIsCopied(t *testing.T) {
	ix := New[string, int]()
	w := ix.NewWriter()
	values := []int{1}
	w.Replace(object(1), map[string][]int{"a": values})
	values[0] = 2
	if got := contents(ix); got["a"][0] != 1 {
		t.Errorf("the index changes with the slice: %v", got)
	}
}

// TestRandomHistories compares the index with the simplest one there is.
func TestRandomHistories(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, seed))
		ix := New[string, int]()
		writers := []*Writer[string, int]{ix.NewWriter(), ix.NewWriter()}
		plain := map[string]map[string][]int{}
		for range 200 {
			n, who := random.IntN(8), random.IntN(len(writers))
			rows := map[string][]int{}
			for range random.IntN(4) {
				key := fmt.Sprint(random.IntN(5))
				rows[key] = append(rows[key], random.IntN(100))
			}
			plain[fmt.Sprint(who, n)] = rows
			if len(rows) == 0 && random.IntN(2) == 0 {
				writers[who].Remove(object(n))
			} else {
				writers[who].Replace(object(n), rows)
			}
			want := map[string][]int{}
			for rows := range maps.Values(plain) {
				for key, values := range rows {
					want[key] = append(want[key], values...)
				}
			}
			for _, values := range want {
				slices.Sort(values)
			}
			if got := contents(ix); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: %v instead of %v", seed, got, want)
			}
		}
	}
}

// TestManyAtOnce is for the race detector, and for readers that see half of an object.
func TestManyAtOnce(t *testing.T) {
	ix := New[string, int]()
	w := ix.NewWriter()
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range 500 {
				w.Replace(object(n), map[string][]int{"a": {i, i}, fmt.Sprint(i % 3): {n}})
			}
			w.Remove(object(n))
		})
		all.Go(func() {
			for range 500 {
				sum := 0
				for v := range ix.Get("a") {
					sum += v
				}
				if sum%2 != 0 {
					t.Error("one of two values that came together was seen alone")
				}
				for key := range ix.Keys() {
					ix.Has(key)
				}
			}
		})
	}
	all.Wait()
	if ix.Len() != 0 {
		t.Errorf("%d keys are left", ix.Len())
	}
}
