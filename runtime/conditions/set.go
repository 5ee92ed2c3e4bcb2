package conditions

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Set brings conditions into a list, and tells whether that changed the list. What is there already keeps its place, what is new goes to
// the end, in the order given, so that lists made alike are alike.
//
// The generation is the metadata.generation of the object that was looked at, and becomes the observedGeneration of each condition; 0
// leaves it out. A condition whose status stays keeps its lastTransitionTime; otherwise that is now, to the second, as the API server
// stores it, unless the condition brings one along.
//
// A condition that the API server would refuse is an error that names the condition and the field, and then the list is left as it was.
func Set(list *[]metav1.Condition, generation int64, conditions ...metav1.Condition) (changed bool, err error) {
	if list == nil {
		return false, errors.New("no list to set conditions in")
	}
	next := slices.Clone(*list)
	for _, c := range conditions {
		c.ObservedGeneration = generation
		if c.LastTransitionTime.IsZero() {
			c.LastTransitionTime = metav1.Now().Rfc3339Copy()
		}
		if err := check(c); err != nil {
			return false, err
		}
		changed = meta.SetStatusCondition(&next, c) || changed
		// The API server refuses an entry without a time, even if nothing else is wrong with it.
		if kept := meta.FindStatusCondition(next, c.Type); kept.LastTransitionTime.IsZero() {
			kept.LastTransitionTime = c.LastTransitionTime
			changed = true
		}
	}
	if changed {
		*list = next
	}
	return changed, nil
}

// Remove takes the conditions of a type out of a list, and tells whether there was one.
func Remove(list *[]metav1.Condition, t Type) (removed bool) {
	return meta.RemoveStatusCondition(list, string(t))
}

// check tells why the API server would refuse a condition, or nil.
func check(c metav1.Condition) error {
	if err := validation.ValidateCondition(c, field.NewPath("condition")).ToAggregate(); err != nil {
		return fmt.Errorf("set condition %q: %w", c.Type, err)
	}
	return nil
}
