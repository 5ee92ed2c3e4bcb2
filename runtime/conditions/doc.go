// Package conditions keeps a list of conditions, as a status has it, to the convention of Kubernetes: one entry per type,
// lastTransitionTime moves only when the status of the condition does, observedGeneration says which spec was looked at, and nothing is
// written that the API server would refuse.
//
// A kind declares the list in its status:
//
//	// +listType=map
//	// +listMapKey=type
//	Conditions []metav1.Condition `json:"conditions,omitempty"`
//
// A handler that takes *T or its status by pointer sets conditions there, and the runtime patches back what has changed:
//
//	_, err := conditions.Set(&g.Status.Conditions, g.Generation, conditions.Ready.True("Serving", "3 of 3 replicas are up"))
//
// The rules of merging are those of k8s.io/apimachinery/pkg/api/meta; this package adds the checks, and the words for reading and summing up.
package conditions
