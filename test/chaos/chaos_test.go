// Package chaos kills an operator again and again while many objects are created, changed and deleted, and makes sure that nothing is
// lost, blocked, or done again that was known to be done.
package chaos

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/exampletest"
	"github.com/kopfgen/kopfgen/test/harness"
)

var seed = flag.Uint64("seed", uint64(time.Now().UnixNano()), "what the storm and the moments of killing follow from")

func TestMain(m *testing.M) {
	harness.Parallel(4)
	os.Exit(harness.Main(m, nil))
}

// The dimensions of the storm.
const (
	objects   = 300
	stormTime = 15 * time.Second
	// kills bounds how many processes are killed, so that a busy machine does not have the more to do, the busier it is.
	kills = 15
	// killTime is how long a process lives at most, from the first call of a handler on.
	killTime = 3 * time.Second
	// settleTime is how long the last process may take for what is left.
	settleTime = 40 * time.Second
)

// The handlers: of each kind, and each failing at first, or slow, or both.
const (
	createFlaky = "create-flaky"
	createSlow  = "create-slow"
	updateFlaky = "update-flaky"
	fieldSlow   = "field-slow/spec.step"
	deleteFlaky = "delete-flaky"
)

var operator = harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
	{On: "create", ID: createFlaky},
	{On: "create", ID: createSlow},
	{On: "update", ID: updateFlaky},
	{On: "field", ID: "field-slow", Field: "spec.step"},
	{On: "delete", ID: deleteFlaky},
}}

var operatorRoles = roles{
	create: []string{createFlaky, createSlow}, update: []string{updateFlaky}, field: []string{fieldSlow}, remove: []string{deleteFlaky},
}

// answer tells a handler what to do, after a while.
func answer(c harness.Call) harness.Answer {
	switch c.Handler {
	case createSlow, fieldSlow:
		time.Sleep(rand.N(200 * time.Millisecond)) // being slow is the point
	case createFlaky, updateFlaky, deleteFlaky:
		if c.Retry == 0 {
			return harness.Retry(rand.N(300 * time.Millisecond))
		}
	}
	return harness.Return(step(c.Spec))
}

// step reads the number that makes each state of each object a different one.
func step(spec json.RawMessage) int {
	var s struct{ Step int }
	_ = json.Unmarshal(spec, &s) // the objects are ours
	return s.Step
}

func TestKilledAgainAndAgain(t *testing.T) {
	t.Parallel()
	t.Logf("to do the same again: go test ./test/chaos -seed=%d", *seed)
	stage := exampletest.NewFor(t, "../harness/crd/*.yaml")
	prompter := harness.NewPrompter(t, answer)
	client := subjects(t, stage)
	seen := observe(t, client)

	var last *harness.Process
	processes := 0
	begin := func() {
		processes++
		last = operator.Start(t, harness.Kopfgen, harness.Config{
			Run: fmt.Sprint("run ", processes), Kubeconfig: controlplane.Shared(t).Kubeconfig(), Namespace: stage.Namespace(), Prompter: prompter,
		})
	}
	begin()
	storm := make(chan map[string]life, 1)
	stormEnded := make(chan struct{})
	go func() {
		defer close(stormEnded)
		storm <- rage(t, client, rand.New(rand.NewPCG(*seed, 1)))
	}()
	t.Cleanup(func() { <-stormEnded })
	var lives map[string]life
	for random := rand.New(rand.NewPCG(*seed, 2)); lives == nil; {
		var kill <-chan time.Time
		if processes <= kills {
			prompter.Until(fmt.Sprint("run ", processes), "", "")
			kill = time.After(time.Duration(random.Int64N(int64(killTime))))
		}
		select {
		case <-kill:
			last.Kill()
			begin()
		case lives = <-storm:
		}
	}
	t.Logf("%d processes, %d calls of handlers in the storm", processes, len(prompter.Calls("", "")))

	seen.settle(t, lives, settleTime)
	last.Stop()
	t.Logf("%d calls of handlers in all", len(prompter.Calls("", "")))
	seen.check(t, lives, operatorRoles, prompter.Calls("", ""))
}

// life is what became of an object.
type life struct {
	step    int
	deleted bool
}

// rage creates, changes and deletes objects, and returns what they should have become.
func rage(t *testing.T, client dynamic.ResourceInterface, random *rand.Rand) map[string]life {
	lives := map[string]life{}
	var actions []func() error
	at := map[string]int{} // where the last action on an object is
	insert := func(name string, action func() error) {
		place := at[name]
		place += random.IntN(len(actions) - place + 1)
		actions = append(actions[:place], append([]func() error{action}, actions[place:]...)...)
		for other, p := range at {
			if p >= place {
				at[other] = p + 1
			}
		}
		at[name] = place + 1
	}
	number := 0
	for i := range objects {
		name := fmt.Sprint("subject-", i)
		number++
		first := number
		insert(name, func() error { return create(t, client, name, first) })
		l := life{step: first}
		for range random.IntN(4) {
			number++
			next := number
			insert(name, func() error { return change(t, client, name, next) })
			l.step = next
		}
		if l.deleted = random.IntN(2) == 0; l.deleted {
			insert(name, func() error { return client.Delete(t.Context(), name, metav1.DeleteOptions{}) })
		}
		lives[name] = l
	}
	pause := time.NewTicker(stormTime / time.Duration(len(actions)))
	defer pause.Stop()
	for _, action := range actions {
		select {
		case <-pause.C:
		case <-t.Context().Done():
			return lives
		}
		if err := action(); err != nil {
			t.Errorf("the storm: %v", err)
		}
	}
	return lives
}

func create(t *testing.T, client dynamic.ResourceInterface, name string, step int, items ...any) error {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": harness.Subject.APIVersion(), "kind": harness.Subject.Kind,
		"metadata": map[string]any{"name": name}, "spec": map[string]any{"step": int64(step), "items": items},
	}}
	_, err := client.Create(t.Context(), object, metav1.CreateOptions{})
	return err
}

func change(t *testing.T, client dynamic.ResourceInterface, name string, step int) error {
	_, err := client.Patch(t.Context(), name, types.MergePatchType, fmt.Appendf(nil, `{"spec":{"step":%d}}`, step), metav1.PatchOptions{})
	return err
}

func subjects(t *testing.T, stage *exampletest.Stage) dynamic.ResourceInterface {
	t.Helper()
	client, err := dynamic.NewForConfig(controlplane.Shared(t).Config())
	if err != nil {
		t.Fatal(err)
	}
	r := harness.Subject
	return client.Resource(schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Plural}).Namespace(stage.Namespace())
}
