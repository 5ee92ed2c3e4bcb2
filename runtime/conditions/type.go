package conditions

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Type is the type of a condition: a word in CamelCase, or one below a domain, such as "demo.kopf.dev/Synced". Operators declare their own
// as constants.
type Type string

// The types that most kinds have. People and tools read them the same way everywhere: for the first two, True is good; for the last
// two, False is the state of rest.
const (
	// Ready says that the object does what it is for. Tools such as kubectl wait look for it.
	Ready Type = "Ready"
	// Available says that what the object stands for can be used, though perhaps not in the newest form.
	Available Type = "Available"
	// Progressing says that a change is under way.
	Progressing Type = "Progressing"
	// Degraded says that something is wrong which does not mend by itself.
	Degraded Type = "Degraded"
)

// True makes a condition that holds. The reason is for programs, one word in CamelCase; the message is for people, and may be empty.
func (t Type) True(reason, message string) metav1.Condition {
	return t.is(metav1.ConditionTrue, reason, message)
}

// False makes a condition that does not hold.
func (t Type) False(reason, message string) metav1.Condition {
	return t.is(metav1.ConditionFalse, reason, message)
}

// Unknown makes a condition of which nobody can say whether it holds.
func (t Type) Unknown(reason, message string) metav1.Condition {
	return t.is(metav1.ConditionUnknown, reason, message)
}

func (t Type) is(status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: string(t), Status: status, Reason: reason, Message: message}
}
