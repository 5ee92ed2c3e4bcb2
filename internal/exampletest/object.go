package exampletest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/kopfgen/kopfgen/internal/seen"
)

// Object is an object of the example, with all states that it had since the test began to watch it.
type Object struct {
	t      testing.TB
	client dynamic.ResourceInterface
	name   string

	mu     sync.Mutex
	states []state
	// at is the state up to which the test has looked.
	at int
	// broken is why there will be no further states.
	broken  error
	changed chan struct{} // closed and replaced with each change of the above
}

type state struct {
	version string
	object  map[string]any // as of seen.Look
	gone    bool
}

// Until waits for a state that has what is wanted, a part of the object in YAML: objects may have more, lists have as many elements, null
// says that there is nothing, and all else is equal. Below "progress" are Kopf's records of handlers by the names of their annotations, without prefix, and below
// "handled" is the state that was handled last:
//
//	status: {greet: {text: hello}}
//	progress: null
//	handled: {spec: {who: world}}
//
// States count from the one that the last Until found, however quickly they passed. What says for people what is waited for.
func (o *Object) Until(what, want string) {
	o.t.Helper()
	wanted, err := seen.Parse(want)
	if err != nil {
		o.t.Fatal(err)
	}
	lack := ""
	o.until(what, func(s state) bool {
		lack = seen.Missing(wanted, s.object)
		return !s.gone && lack == ""
	}, &lack)
}

// UntilGone waits until the object is deleted.
func (o *Object) UntilGone() {
	o.t.Helper()
	lack := "it is still there"
	o.until("it is gone", func(s state) bool { return s.gone }, &lack)
}

// Ever tells whether the object has ever had what is asked for, in the language of Until, from its creation up to now.
func (o *Object) Ever(want string) bool {
	o.t.Helper()
	wanted, err := seen.Parse(want)
	if err != nil {
		o.t.Fatal(err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.states {
		if seen.Missing(wanted, s.object) == "" {
			return true
		}
	}
	return false
}

// States returns how many states the object has had since the test began to watch it.
func (o *Object) States() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.states)
}

// Patch changes the object by a merge patch in YAML. What Until finds from now on is no older than that.
func (o *Object) Patch(patch string) {
	o.t.Helper()
	data, err := yaml.YAMLToJSON([]byte(patch))
	if err != nil {
		o.t.Fatalf("reading the patch %q: %v", patch, err)
	}
	patched, err := o.client.Patch(o.t.Context(), o.name, types.MergePatchType, data, metav1.PatchOptions{})
	if err != nil {
		o.t.Fatalf("patching %q: %v", o.name, err)
	}
	o.until("the patch is seen", func(s state) bool { return s.version == patched.GetResourceVersion() }, new(string))
}

// Delete asks for the deletion of the object.
func (o *Object) Delete() {
	o.t.Helper()
	if err := o.client.Delete(o.t.Context(), o.name, metav1.DeleteOptions{}); err != nil {
		o.t.Fatalf("deleting %q: %v", o.name, err)
	}
}

// until looks at one state after the other. Lack says, when time is over, what the last one lacked.
func (o *Object) until(what string, ok func(state) bool, lack *string) {
	o.t.Helper()
	over := time.NewTimer(patience)
	defer over.Stop()
	for next := o.at; ; next++ {
		s, err := o.wait(next, over.C)
		if err != nil {
			o.t.Fatalf("%s: waiting until %s: %v; %s", o.name, what, err, *lack)
		}
		if ok(s) {
			o.at = next
			return
		}
	}
}

// wait returns the state with that number as soon as it is there.
func (o *Object) wait(number int, over <-chan time.Time) (state, error) {
	for {
		o.mu.Lock()
		states, broken, changed := o.states, o.broken, o.changed
		o.mu.Unlock()
		if number < len(states) {
			return states[number], nil
		}
		if broken != nil {
			return state{}, broken
		}
		select {
		case <-changed:
		case <-over:
			return state{}, context.DeadlineExceeded
		}
	}
}

// record adds what the watch tells, until it ends.
func (o *Object) record(w watch.Interface) {
	err := fmt.Errorf("the watch has ended")
	for event := range w.ResultChan() {
		object, ok := event.Object.(*unstructured.Unstructured)
		if !ok || event.Type == watch.Error {
			err = fmt.Errorf("the watch failed: %v", event.Object)
			break
		}
		if addErr := o.add(object, event.Type == watch.Deleted); addErr != nil {
			err = addErr
			break
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.broken = err
	close(o.changed)
	o.changed = make(chan struct{})
}

func (o *Object) add(object *unstructured.Unstructured, gone bool) error {
	now, err := seen.Look(object.Object, seen.Prefix)
	if err != nil {
		return fmt.Errorf("%s: %w", o.name, err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.states = append(o.states, state{version: object.GetResourceVersion(), object: now, gone: gone})
	close(o.changed)
	o.changed = make(chan struct{})
	return nil
}

// show prints the last state if the test has failed.
func (o *Object) show() {
	if !o.t.Failed() {
		return
	}
	if len(o.states) == 0 {
		o.t.Logf("%s was never there", o.name)
		return
	}
	last := o.states[len(o.states)-1]
	data, err := yaml.Marshal(last.object)
	if err != nil {
		data = []byte(err.Error())
	}
	o.t.Logf("%s, after %d states (gone: %v):\n%s", o.name, len(o.states), last.gone, data)
}
