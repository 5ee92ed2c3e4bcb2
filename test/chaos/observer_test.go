package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"github.com/kopfgen/kopfgen/test/harness"
)

// prefix is that of Kopf's annotations.
const prefix = "kopf.zalando.org/"

// state is one state of an object, as far as it matters.
type state struct {
	version  int
	step     int
	gone     bool
	deleting bool
	ours     bool // it has our finalizer
	// base is the step of the last handled state, 0 without one.
	base int
	// done has, by handler, when a handler stopped that has succeeded, as its record says.
	done map[string]string
	// open counts the records.
	open int
}

// observer knows all states that there were.
type observer struct {
	mu      sync.Mutex
	uids    map[string]string  // the newest, by name
	states  map[string][]state // by uid, in their order
	renewed chan struct{}      // closed and replaced with each state
}

// observe watches until the test ends.
func observe(t *testing.T, client dynamic.ResourceInterface) *observer {
	t.Helper()
	list, err := client.List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// The test's own context ends before its cleanup.
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	o := &observer{uids: map[string]string{}, states: map[string][]state{}, renewed: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := o.watch(ctx, client, list.GetResourceVersion()); ctx.Err() == nil {
			t.Errorf("observing: %v", err)
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return o
}

// watch takes what happens from a version on, until the context ends. The API server may end a watch whose client is slow, which any is
// on a busy machine.
func (o *observer) watch(ctx context.Context, client dynamic.ResourceInterface, version string) error {
	for {
		w, err := client.Watch(ctx, metav1.ListOptions{ResourceVersion: version})
		if err != nil {
			return err
		}
		for event := range w.ResultChan() {
			object, ok := event.Object.(*unstructured.Unstructured)
			if !ok || event.Type == watch.Error {
				return fmt.Errorf("the watch failed: %v", event.Object)
			}
			version = object.GetResourceVersion()
			if err := o.add(object, event.Type == watch.Deleted); err != nil {
				return fmt.Errorf("%s: %w", object.GetName(), err)
			}
		}
	}
}

func (o *observer) add(object *unstructured.Unstructured, gone bool) error {
	s, err := parse(object)
	if err != nil {
		return err
	}
	s.gone = gone
	o.mu.Lock()
	defer o.mu.Unlock()
	uid := string(object.GetUID())
	o.uids[object.GetName()] = uid
	o.states[uid] = append(o.states[uid], s)
	close(o.renewed)
	o.renewed = make(chan struct{})
	return nil
}

func parse(object *unstructured.Unstructured) (state, error) {
	s := state{done: map[string]string{}, ours: slices.Contains(object.GetFinalizers(), prefix+"KopfFinalizerMarker"), deleting: object.GetDeletionTimestamp() != nil}
	var err error
	if s.version, err = strconv.Atoi(object.GetResourceVersion()); err != nil {
		return s, err
	}
	step, _, err := unstructured.NestedInt64(object.Object, "spec", "step")
	if err != nil {
		return s, err
	}
	s.step = int(step)
	for name, text := range object.GetAnnotations() {
		id, is := strings.CutPrefix(name, prefix)
		if !is {
			continue
		}
		var content struct {
			Success bool
			Stopped string
			Spec    struct{ Step int }
		}
		if err := json.Unmarshal([]byte(text), &content); err != nil {
			return s, fmt.Errorf("annotation %s: %w", name, err)
		}
		switch {
		case id == "last-handled-configuration":
			s.base = content.Spec.Step
		case content.Success:
			s.done[id] = content.Stopped
			s.open++
		default:
			s.open++
		}
	}
	return s, nil
}

// changed is closed when there is a state more.
func (o *observer) changed() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.renewed
}

// settle waits until all objects are as they should be in the end.
func (o *observer) settle(t *testing.T, lives map[string]life, patience time.Duration) {
	t.Helper()
	o.until(t, patience, func() []string { return o.unsettled(lives) })
}

// calm waits until all objects are handled or gone, whatever became of them.
func (o *observer) calm(t *testing.T, names []string) {
	t.Helper()
	o.until(t, harness.Patience, func() []string {
		lives := o.lives(names)
		if len(lives) < len(names) {
			return []string{"some are not there yet"}
		}
		return o.unsettled(lives)
	})
}

func (o *observer) until(t *testing.T, patience time.Duration, find func() []string) {
	t.Helper()
	over := time.After(patience)
	for {
		changed := o.changed()
		unsettled := find()
		if len(unsettled) == 0 {
			return
		}
		select {
		case <-changed:
		case <-over:
			t.Fatalf("%d objects are not settled: %.3000q", len(unsettled), unsettled)
		}
	}
}

// lives returns what the objects have become.
func (o *observer) lives(names []string) map[string]life {
	o.mu.Lock()
	defer o.mu.Unlock()
	lives := map[string]life{}
	for _, name := range names {
		if states := o.states[o.uids[name]]; len(states) > 0 {
			last := states[len(states)-1]
			lives[name] = life{step: last.step, deleted: last.gone || last.deleting}
		}
	}
	return lives
}

// unsettled returns the objects that are not as they should be in the end, and why.
func (o *observer) unsettled(lives map[string]life) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var found []string
	for name, l := range lives {
		states := o.states[o.uids[name]]
		switch {
		case len(states) == 0:
			found = append(found, name+" was not created")
			continue
		case l.deleted != states[len(states)-1].gone:
			found = append(found, fmt.Sprintf("%s: gone should be %v: %+v", name, l.deleted, states[len(states)-1]))
			continue
		}
		if s := states[len(states)-1]; !l.deleted && (s.step != l.step || s.base != l.step || s.open > 0) {
			found = append(found, fmt.Sprintf("%s should have step %d handled: %+v", name, l.step, s))
		}
	}
	return found
}

// roles are handlers by what they do.
type roles struct{ create, update, field, remove []string }

// check judges the calls of handlers by what was known at the time.
func (o *observer) check(t *testing.T, lives map[string]life, r roles, calls []harness.Call) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	byHandler := group(calls)
	for name, l := range lives {
		uid := o.uids[name]
		if l.deleted {
			r.checkDeleted(t, name, o.states[uid], byHandler[uid])
		} else {
			r.checkHandled(t, name, l, byHandler[uid])
		}
	}
	repeated := 0
	for uid, handlers := range byHandler {
		for id, calls := range handlers {
			repeated += checkRepeats(t, id, o.states[uid], calls)
		}
	}
	t.Logf("%d calls were repeated since their success had not been recorded", repeated)
}

// group returns the calls by uid, then by handler.
func group(calls []harness.Call) map[string]map[string][]harness.Call {
	groups := map[string]map[string][]harness.Call{}
	for _, c := range calls {
		if groups[c.UID] == nil {
			groups[c.UID] = map[string][]harness.Call{}
		}
		groups[c.UID][c.Handler] = append(groups[c.UID][c.Handler], c)
	}
	return groups
}

// checkHandled makes sure that the last state of an object was handled: the handlers of the field were called for it, and so were all that
// create, or else those that update.
func (r roles) checkHandled(t *testing.T, name string, l life, calls map[string][]harness.Call) {
	t.Helper()
	told := func(ids []string) bool {
		return !slices.ContainsFunc(ids, func(id string) bool {
			return !slices.ContainsFunc(calls[id], func(c harness.Call) bool { return c.Succeeded() && step(c.Spec) == l.step })
		})
	}
	if !told(r.field) {
		t.Errorf("%s: %v were not called for the last step %d", name, r.field, l.step)
	}
	if !told(r.update) && !told(r.create) {
		t.Errorf("%s: nobody creates or updates for the last step %d", name, l.step)
	}
}

// checkDeleted makes sure that an object was not released without its handlers.
func (r roles) checkDeleted(t *testing.T, name string, states []state, calls map[string][]harness.Call) {
	t.Helper()
	if !slices.ContainsFunc(states, func(s state) bool { return s.ours }) {
		return // it went before the operator saw it
	}
	// The API server decides to delete an object without finalizers at once, and does not look again: a finalizer that is put in between
	// goes with the object, which never waited for anybody. Its last state then has the finalizer and no time of deletion.
	deleting := slices.ContainsFunc(states, func(s state) bool { return s.deleting })
	if last := lastPresent(states); !deleting && last.ours {
		return
	}
	for _, id := range r.remove {
		if !slices.ContainsFunc(calls[id], harness.Call.Succeeded) {
			t.Errorf("%s: it is gone, and %s has not succeeded", name, id)
		}
	}
}

// checkRepeats makes sure that a handler which had succeeded, on record, was not called again for the same change. It returns how often
// one was for which that was not on record yet.
func checkRepeats(t *testing.T, id string, states []state, calls []harness.Call) int {
	t.Helper()
	repeated := 0
	for i, again := range calls {
		for _, before := range calls[:i] {
			if !before.Succeeded() || step(before.Spec) != step(again.Spec) || before.Reason != again.Reason {
				continue
			}
			if at := recorded(id, states, before, again); at != 0 {
				t.Errorf("%s: %s was called for step %d by %s (%s, attempt %d, version %s), although version %d has on record that it succeeded in %s (version %s)",
					again.Object, id, step(again.Spec), again.Run, again.Reason, again.Retry, again.Version, at, before.Run, before.Version)
			} else {
				repeated++
			}
		}
	}
	return repeated
}

// of returns the states of the newest object of a name.
func (o *observer) of(name string) (uid string, states []state) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.uids[name], slices.Clone(o.states[o.uids[name]])
}

// recorded returns the version, up to that of the later call, from which on the success of the earlier one was on record; 0 is none.
func recorded(id string, states []state, before, again harness.Call) int {
	from, _ := strconv.Atoi(before.Version)
	to, _ := strconv.Atoi(again.Version)
	key := strings.ReplaceAll(id, "/", ".")
	var then state
	for _, s := range states {
		switch {
		case s.version <= from:
			then = s
		case s.version <= to && s.done[key] != "" && s.done[key] != then.done[key],
			s.version <= to && s.base == step(before.Spec) && s.base != then.base:
			return s.version
		}
	}
	return 0
}

// lastPresent returns the last state in which the object was there.
func lastPresent(states []state) state {
	var last state
	for _, s := range states {
		if !s.gone {
			last = s
		}
	}
	return last
}
