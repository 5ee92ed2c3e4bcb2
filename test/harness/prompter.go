package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

// Patience is how long a test waits for anything. It is far more than anything takes, since a busy machine is no failure.
const Patience = time.Minute

// Prompter tells handlers what to do, and remembers that they asked.
type Prompter struct {
	t      testing.TB
	server *httptest.Server
	answer func(Call) Answer

	mu      sync.Mutex
	calls   []Call
	changed chan struct{} // closed and replaced with each call
}

// NewPrompter starts a prompter that answers by the function. The function is called by many handlers at once, and may take its time: the
// handler waits. Without a function, every handler succeeds.
func NewPrompter(t testing.TB, answer func(Call) Answer) *Prompter {
	if answer == nil {
		answer = func(Call) Answer { return Answer{} }
	}
	p := &Prompter{t: t, answer: answer, changed: make(chan struct{})}
	p.server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(func() {
		p.server.CloseClientConnections()
		p.server.Close()
	})
	return p
}

func (p *Prompter) serve(w http.ResponseWriter, r *http.Request) {
	var call Call
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		p.t.Errorf("a handler asked in a way that cannot be read: %v", err)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	call.At = time.Now()
	p.mu.Lock()
	number := len(p.calls)
	p.calls = append(p.calls, call)
	close(p.changed)
	p.changed = make(chan struct{})
	p.mu.Unlock()
	answer := p.answer(call)
	p.mu.Lock()
	p.calls[number].Told = &answer
	p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the process may be dead by now
}

// Calls returns the calls so far of a process for an object; empty strings stand for all.
func (p *Prompter) Calls(run, object string) []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.filter(run, object)
}

func (p *Prompter) filter(run, object string) []Call {
	var found []Call
	for _, c := range p.calls {
		if (run == "" || c.Run == run) && (object == "" || c.Object == object) {
			found = append(found, c)
		}
	}
	return found
}

// Lines returns the calls as "handler retry", in their order.
func Lines(calls []Call) []string {
	lines := []string{}
	for _, c := range calls {
		lines = append(lines, fmt.Sprintf("%s %d", c.Handler, c.Retry))
	}
	return lines
}

// Until waits for a call of that handler, by that process, for that object, and returns the last one. Empty strings stand for all.
func (p *Prompter) Until(run, handler, object string) Call {
	p.t.Helper()
	over := time.After(Patience)
	for {
		p.mu.Lock()
		calls, changed := p.filter(run, object), p.changed
		p.mu.Unlock()
		for _, c := range slices.Backward(calls) {
			if handler == "" || c.Handler == handler {
				return c
			}
		}
		select {
		case <-changed:
		case <-over:
			p.t.Fatalf("%s: handler %s of %s was not called; %q were", object, handler, run, Lines(calls))
		}
	}
}

// Ask asks, from within a process that was started with a prompter, what a handler has to do.
func Ask(ctx context.Context, call Call) (Answer, error) {
	call.Run = os.Getenv(envRun)
	var answer Answer
	body, err := json.Marshal(call)
	if err != nil {
		return answer, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, os.Getenv(envPrompter), bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer, err
	}
	if response.StatusCode != http.StatusOK {
		return answer, fmt.Errorf("the prompter answered %s: %s", response.Status, text)
	}
	return answer, json.Unmarshal(text, &answer)
}
