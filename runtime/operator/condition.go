package operator

import (
	"encoding/json"
	"fmt"

	kjson "sigs.k8s.io/json"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Condition is a bound function that decides whether a handler is called. Make it with [When].
type Condition struct {
	holds func(*handling.Attempt) (bool, error)
}

// When makes a condition of a bound method. An object that does not decode into the view is an error of that object alone.
func When[V any](fn func(*Call[V]) bool) Condition {
	return Condition{holds: func(a *handling.Attempt) (bool, error) {
		c, err := newCall[V](a)
		if err != nil {
			return false, err
		}
		return fn(c), nil
	}}
}

// WhenChange makes a condition of a bound method that takes the old and the new state of the object, or of the part of it that the path
// leads to. A state that is absent is the zero value.
func WhenChange[V, O, N any](fn func(c *Call[V], old O, new N) bool, path ...string) Condition {
	return Condition{holds: func(a *handling.Attempt) (bool, error) {
		c, old, now, err := newChange[V, O, N](a, path)
		if err != nil {
			return false, err
		}
		return fn(c, old, now), nil
	}}
}

// Criterion is a condition on one value of an object. Make it with [Present], [Absent], [Equal] or [Where].
type Criterion struct {
	holds func(value any, present bool) (bool, error)
}

// Present demands that there is a value; a null is one.
func Present() Criterion {
	return Criterion{holds: func(_ any, present bool) (bool, error) { return present, nil }}
}

// Absent demands that there is no value.
func Absent() Criterion {
	return Criterion{holds: func(_ any, present bool) (bool, error) { return !present, nil }}
}

// Equal demands a value that equals the literal, as JSON.
func Equal[F comparable](literal F) Criterion {
	want, err := tree.Of(literal)
	return Criterion{holds: func(value any, present bool) (bool, error) {
		return present && tree.Equal(value, want), err
	}}
}

// Where asks a function, which gets the zero value where there is none. A value that does not decode into F is an error of that object
// alone.
func Where[F any](fn func(value F, present bool) bool) Criterion {
	return Criterion{holds: func(value any, present bool) (bool, error) {
		var f F
		if present {
			data, err := json.Marshal(value)
			if err == nil {
				err = kjson.UnmarshalCaseSensitivePreserveInts(data, &f)
			}
			if err != nil {
				return false, fmt.Errorf("the value does not decode into %T: %w", f, err)
			}
		}
		return fn(f, present), nil
	}}
}
