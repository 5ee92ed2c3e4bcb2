package conditions

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Get returns a copy of the condition of a type, and whether there is one.
func Get(list []metav1.Condition, t Type) (metav1.Condition, bool) {
	if c := meta.FindStatusCondition(list, string(t)); c != nil {
		return *c, true
	}
	return metav1.Condition{}, false
}

// Status returns the status of a condition. One that is not there is Unknown, as the convention has it.
func Status(list []metav1.Condition, t Type) metav1.ConditionStatus {
	if c, ok := Get(list, t); ok {
		return c.Status
	}
	return metav1.ConditionUnknown
}

// IsTrue tells whether a condition is known to hold.
func IsTrue(list []metav1.Condition, t Type) bool { return Status(list, t) == metav1.ConditionTrue }

// IsFalse tells whether a condition is known not to hold. A condition that is unknown, or not there, is neither true nor false.
func IsFalse(list []metav1.Condition, t Type) bool { return Status(list, t) == metav1.ConditionFalse }

// IsCurrent tells whether a condition is there and was set for this generation of the object. While it is not, its status tells of
// an earlier spec.
func IsCurrent(list []metav1.Condition, t Type, generation int64) bool {
	c, ok := Get(list, t)
	return ok && c.ObservedGeneration == generation
}
