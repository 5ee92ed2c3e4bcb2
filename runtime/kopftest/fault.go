package kopftest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Fault is what happens to a request. The zero value is nothing.
type Fault struct {
	// Delay holds the request up, before all else.
	Delay time.Duration
	// Status is what the server answers instead of doing it, such as [http.StatusConflict].
	Status int
	// LoseRequest breaks the connection before the server has done it, LoseAnswer after.
	LoseRequest, LoseAnswer bool
}

// Fail has the n-th request of a verb from now on, counted from 1, suffer a fault.
func (s *Stage) Fail(verb Verb, n int, fault Fault) {
	s.t.Helper()
	if n < 1 {
		s.t.Fatalf("there is no request number %d: they are counted from 1", n)
	}
	s.timeline.add("test", "the %s number %d from now will suffer %+v", verb, n, fault)
	count := 0
	s.Faults(func(r Request) Fault {
		if r.Verb == verb {
			if count++; count == n {
				return fault
			}
		}
		return Fault{}
	})
}

// Faults asks a function about every request from now on. The first of several functions that names a fault decides, and all are asked.
// Requests are asked about one at a time.
func (s *Stage) Faults(of func(Request) Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.of = append(s.faults.of, of)
}

// Requests returns the requests so far of the verbs, or all.
func (s *Stage) Requests(verbs ...Verb) []Request {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	var found []Request
	for _, r := range s.faults.requests {
		for _, verb := range verbs {
			if r.Verb == verb {
				found = append(found, r)
			}
		}
		if len(verbs) == 0 {
			found = append(found, r)
		}
	}
	return found
}

// faults stand between the operator and the server.
type faults struct {
	mu       sync.Mutex
	of       []func(Request) Fault
	requests []Request
	watches  map[*http.Request]open
}

// open is a watch that can be cut.
type open struct {
	of  *process
	cut context.CancelFunc
}

// decide writes a request down and finds its fault.
func (f *faults) decide(r Request) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, r)
	var decided Fault
	for _, of := range f.of {
		if fault := of(r); decided == (Fault{}) {
			decided = fault
		}
	}
	return decided
}

// serve passes a request on, or not.
func (f *faults) serve(w http.ResponseWriter, r *http.Request, p *process) {
	var next http.Handler = p.stage.server
	l := p.stage.timeline
	request, ok := read(r)
	if !ok {
		next.ServeHTTP(w, r)
		return
	}
	request.At = l.elapsed()
	line := l.add("request", "%s", strings.TrimSpace(request.String()+" "+string(request.Body)))
	fault := f.decide(request)
	strikes := p.stage.explored.write(p, request)
	if strikes == crashBefore {
		l.conclude(line, "the process is killed before it arrives")
		p.stage.strike(p)
	}
	if p.dead.Load() {
		time.Sleep(breath)
		panic(http.ErrAbortHandler)
	}
	switch strikes {
	case conflicting:
		fault.Status = http.StatusConflict
	case failing:
		fault.Status = http.StatusInternalServerError
	case answerLost:
		fault.LoseAnswer = true
	}
	if fault.Delay > 0 {
		select {
		case <-time.After(fault.Delay):
		case <-r.Context().Done():
			l.conclude(line, "the operator did not wait")
			return
		}
	}
	switch {
	case fault.Status != 0:
		l.conclude(line, fmt.Sprintf("refused with %d", fault.Status))
		status := metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Code: int32(fault.Status),
			Message: "a fault of the test", Reason: reasons[fault.Status],
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(fault.Status)
		_ = json.NewEncoder(w).Encode(status)
	case fault.LoseRequest:
		l.conclude(line, "the request is lost")
		panic(http.ErrAbortHandler)
	case request.Verb == Watch:
		f.watch(w, r, p)
	default:
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		if strikes == crashAfter {
			l.conclude(line, fmt.Sprintf("%d, and the process is killed before it hears of it", answer.Code))
			p.stage.strike(p)
			time.Sleep(breath)
			panic(http.ErrAbortHandler)
		}
		if fault.LoseAnswer {
			l.conclude(line, fmt.Sprintf("%d, but the answer is lost", answer.Code))
			panic(http.ErrAbortHandler)
		}
		l.conclude(line, outcome(answer))
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}
}

// outcome tells what the server answered, and why, if it refused.
func outcome(answer *httptest.ResponseRecorder) string {
	text := fmt.Sprint(answer.Code)
	var status metav1.Status
	if answer.Code >= 300 && json.Unmarshal(answer.Body.Bytes(), &status) == nil {
		text += " " + status.Message
	}
	return text
}

// reasons are those of the statuses that clients tell apart by more than the number.
var reasons = map[int]metav1.StatusReason{
	http.StatusUnauthorized: metav1.StatusReasonUnauthorized, http.StatusForbidden: metav1.StatusReasonForbidden,
	http.StatusNotFound: metav1.StatusReasonNotFound, http.StatusConflict: metav1.StatusReasonConflict, http.StatusGone: metav1.StatusReasonExpired,
	http.StatusUnprocessableEntity: metav1.StatusReasonInvalid, http.StatusTooManyRequests: metav1.StatusReasonTooManyRequests,
	http.StatusInternalServerError: metav1.StatusReasonInternalError, http.StatusServiceUnavailable: metav1.StatusReasonServiceUnavailable,
}

// watch serves a watch that can be cut.
func (f *faults) watch(w http.ResponseWriter, r *http.Request, p *process) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	f.mu.Lock()
	if f.watches == nil {
		f.watches = map[*http.Request]open{}
	}
	f.watches[r] = open{of: p, cut: cancel}
	f.mu.Unlock()
	if p.stage.explored != nil {
		w = &frames{ResponseWriter: w, ctx: ctx, cut: cancel, stage: p.stage}
	}
	p.stage.server.ServeHTTP(w, r.WithContext(ctx))
	f.mu.Lock()
	delete(f.watches, r)
	f.mu.Unlock()
	if ctx.Err() != nil {
		panic(http.ErrAbortHandler)
	}
}

// cut breaks the watches of a process; nil stands for all.
func (f *faults) cut(of *process) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, watch := range f.watches {
		if of == nil || watch.of == of {
			watch.cut()
		}
	}
}
