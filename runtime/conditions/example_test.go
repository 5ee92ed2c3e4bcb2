package conditions_test

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/conditions"
)

// Types of one's own are constants.
const (
	databaseReady conditions.Type = "DatabaseReady"
	cacheReady    conditions.Type = "CacheReady"
)

// Setting what is there already changes nothing, so nothing is written.
func ExampleSet() {
	var status struct{ Conditions []metav1.Condition }
	for range 2 {
		changed, err := conditions.Set(&status.Conditions, 4,
			conditions.Ready.True("Serving", "3 of 3 replicas are up"),
			conditions.Progressing.False("Stable", ""))
		fmt.Println(changed, err)
	}
	for _, c := range status.Conditions {
		fmt.Printf("%s=%s for generation %d: %s\n", c.Type, c.Status, c.ObservedGeneration, c.Reason)
	}
	// Output:
	// true <nil>
	// false <nil>
	// Ready=True for generation 4: Serving
	// Progressing=False for generation 4: Stable
}

// What the API server would refuse is found where it is made.
func ExampleSet_refused() {
	var status struct{ Conditions []metav1.Condition }
	_, err := conditions.Set(&status.Conditions, 4, conditions.Ready.False("", "the disk is full"))
	fmt.Println(err)
	// Output:
	// set condition "Ready": condition.reason: Required value
}

// Each part reports its own condition; Ready sums them up.
func ExampleSummary() {
	var status struct{ Conditions []metav1.Condition }
	parts := []metav1.Condition{databaseReady.True("Serving", ""), cacheReady.False("Evicted", "out of memory")}
	if _, err := conditions.Set(&status.Conditions, 4, parts...); err != nil {
		fmt.Println(err)
	}

	ready := conditions.Summary(status.Conditions, conditions.Ready, databaseReady, cacheReady)
	fmt.Println(ready.Status, ready.Reason, ready.Message)
	// Output:
	// False Evicted CacheReady: out of memory
}
