package chaos

import (
	"fmt"
	"path"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/exampletest"
	"github.com/kopfgen/kopfgen/test/harness"
)

// meddlings is more than there are writes until an object is created.
const meddlings = 12

// TestMeddlingAtEveryWrite has somebody else change or delete an object at the worst moments: just before a write of the operator reaches
// the API server, so that its answer has the change in it, and just before the answer comes back, so that the event may overtake it. No
// change is lost. Each object is meddled with once, at another of its writes.
func TestMeddlingAtEveryWrite(t *testing.T) {
	t.Parallel()
	stage := exampletest.NewFor(t, "../harness/crd/*.yaml")
	proxy := harness.NewProxy(t, controlplane.Shared(t).Config())
	client := subjects(t, stage)
	seen := observe(t, client)

	var mu sync.Mutex
	writes := map[string]int{}          // by moment and object
	meddle := map[string]func() error{} // by moment, object and number of the write
	at := func(moment string) func(harness.Request) {
		return func(r harness.Request) {
			object := moment + " " + path.Base(strings.TrimSuffix(r.Path, "/status"))
			mu.Lock()
			defer mu.Unlock()
			writes[object]++
			do := meddle[fmt.Sprint(object, " ", writes[object])]
			if do == nil {
				return
			}
			if err := do(); err != nil {
				t.Errorf("meddling %s: %v", object, err)
			}
		}
	}
	proxy.Intercept(at("before"), at("after"))
	prompter := harness.NewPrompter(t, hesitant())
	process := whole.Start(t, harness.Kopfgen, harness.Config{
		Run: "only", Kubeconfig: proxy.Kubeconfig(), Namespace: stage.Namespace(), Prompter: prompter,
	})

	var names []string
	number := 0
	for _, moment := range []string{"before", "after"} {
		for write := 1; write <= meddlings; write++ {
			changed, deleted := fmt.Sprintf("changed-%s-%d", moment, write), fmt.Sprintf("deleted-%s-%d", moment, write)
			number++
			next := meddlings*4 + number
			mu.Lock()
			meddle[fmt.Sprint(moment, " ", changed, " ", write)] = func() error { return change(t, client, changed, next) }
			meddle[fmt.Sprint(moment, " ", deleted, " ", write)] = func() error { return client.Delete(t.Context(), deleted, metav1.DeleteOptions{}) }
			mu.Unlock()
			names = append(names, changed, deleted)
		}
	}
	for i, name := range names {
		if err := create(t, client, name, i+1, "one", "two"); err != nil {
			t.Fatal(err)
		}
	}

	seen.calm(t, names)
	mu.Lock()
	clear(meddle) // it was perhaps at the last write of all that somebody meddled
	mu.Unlock()
	seen.calm(t, names)
	process.Stop()
	lives := seen.lives(names)
	seen.check(t, lives, wholeRoles, prompter.Calls("", ""))
	changes, deletions := 0, 0
	for name, l := range lives {
		switch {
		case strings.HasPrefix(name, "deleted") && l.deleted:
			deletions++
		case strings.HasPrefix(name, "changed") && l.step > meddlings*4:
			changes++
		}
	}
	if changes < 8 || deletions < 8 {
		t.Errorf("there were only %d changes and %d deletions", changes, deletions)
	}
}
