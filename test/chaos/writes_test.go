package chaos

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/exampletest"
	"github.com/kopfgen/kopfgen/test/harness"
)

// TestKilledAtEveryWrite has an operator handle an object from its creation to its deletion, and kills it at one of its writes, before the
// API server gets it. Another process takes over. That is done for each write there is. (A process that is killed after a write, before it
// gets the answer, leaves the same behind as one that is killed before the next.)
func TestKilledAtEveryWrite(t *testing.T) {
	t.Parallel()
	for number := 1; live(t, number); number++ {
	}
}

// pause is the delay of failing attempts.
const pause = 100 * time.Millisecond

var whole = harness.Operator{Resource: harness.Subject, Handlers: []harness.Handler{
	{On: "create", ID: "flaky"},
	{On: "create", ID: "sure"},
	{On: "create", ID: "parent", Field: "spec.items"},
	{On: "update", ID: "changed"},
	{On: "field", ID: "part", Field: "spec.step"},
	{On: "delete", ID: "leave"},
	{On: "delete", ID: "sign"},
}}

var wholeRoles = roles{
	create: []string{"flaky", "sure"}, update: []string{"changed"}, field: []string{"part/spec.step"}, remove: []string{"leave", "sign"},
}

// hesitant returns a function that has one handler of each kind, and a sub-handler, fail once.
func hesitant() func(harness.Call) harness.Answer {
	var mu sync.Mutex
	tried := map[string]bool{} // by object: sub-handlers do not know their attempts
	return func(c harness.Call) harness.Answer {
		switch {
		case c.Handler == "parent/spec.items":
			return harness.Answer{Subs: []string{"one", "two"}}
		case c.Handler == "parent/spec.items/two":
			mu.Lock()
			defer mu.Unlock()
			if !tried[c.Object] {
				tried[c.Object] = true
				return harness.Retry(pause)
			}
		case (c.Handler == "flaky" || c.Handler == "changed" || c.Handler == "leave") && c.Retry == 0:
			return harness.Retry(pause)
		}
		return harness.Return(c.Handler)
	}
}

// live plays the life of one object, killing the operator at the write with that number. It returns false if there was no such write.
func live(t *testing.T, number int) bool {
	t.Helper()
	name := fmt.Sprint("write ", number)
	stage := exampletest.NewFor(t, "../harness/crd/*.yaml")
	proxy := harness.NewProxy(t, controlplane.Shared(t).Config())
	prompter := harness.NewPrompter(t, hesitant())
	config := harness.Config{Run: "first", Kubeconfig: proxy.Kubeconfig(), Namespace: stage.Namespace(), Prompter: prompter}

	seen := observe(t, subjects(t, stage))

	var process *harness.Process
	started, killed, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var writes atomic.Int64
	kill := func(harness.Request) {
		<-started
		if writes.Add(1) == int64(number) {
			process.Kill()
			close(killed)
			panic(http.ErrAbortHandler) // the request goes no further
		}
	}
	proxy.Intercept(kill, nil)
	process = whole.Start(t, harness.Kopfgen, config)
	close(started)
	go func() {
		defer close(ended)
		select {
		case <-killed:
			proxy.Intercept(nil, nil)
			config.Run = "second"
			process = whole.Start(t, harness.Kopfgen, config)
		case <-t.Context().Done():
		}
	}()
	t.Cleanup(func() { <-ended })

	object := stage.Manifest("{apiVersion: test.kopf.dev/v1, kind: Subject, metadata: {name: subject}, spec: {step: 1, items: [one, two]}}")["subject"]
	object.Until(name+": it is created", "{handled: {spec: {step: 1}}, progress: null}")
	object.Patch("{spec: {step: 2}}")
	object.Until(name+": it is changed", "{handled: {spec: {step: 2}}, progress: null}")
	object.Delete()
	object.UntilGone()
	again := len(proxy.Writes("subject")) >= number
	if again {
		<-killed
		<-ended
		process.Kill() // it may not have got as far as listening to signals
	} else {
		process.Stop()
		if number <= 8 {
			t.Errorf("there were only %d writes", number-1)
		}
	}
	uid, states := seen.of("subject")
	repeated := 0
	for id, calls := range group(prompter.Calls("", "subject"))[uid] {
		repeated += checkRepeats(t, id, states, calls)
	}
	if t.Failed() || repeated > 0 && !again {
		t.Errorf("%s: the calls were %q", name, harness.Lines(prompter.Calls("", "subject")))
	}
	return again && !t.Failed()
}
