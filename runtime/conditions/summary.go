package conditions

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Summary sums up conditions of which True is good in one of type t, usually Ready, to be given to [Set]. It is True if all of them are,
// False if one of them is, and Unknown otherwise, which includes those that are not there yet.
//
// Its reason is that of the first condition which decided so; its message names each that is not True, in the order given, with its own.
func Summary(list []metav1.Condition, t Type, of ...Type) metav1.Condition {
	sum := t.True("AllTrue", "")
	var messages []string
	for _, part := range of {
		c, ok := Get(list, part)
		if !ok {
			c = part.Unknown("NotReported", "not reported yet")
		}
		if c.Status == metav1.ConditionTrue {
			continue
		}
		if sum.Status == metav1.ConditionTrue || sum.Status == metav1.ConditionUnknown && c.Status == metav1.ConditionFalse {
			sum.Status, sum.Reason = c.Status, c.Reason
		}
		if c.Message == "" {
			c.Message = c.Reason
		}
		messages = append(messages, c.Type+": "+c.Message)
	}
	sum.Message = strings.Join(messages, "; ")
	return sum
}
