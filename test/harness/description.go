package harness

import (
	"encoding/json"
	"time"
)

// Operator describes an operator that can be run by either peer.
type Operator struct {
	Resource Resource  `json:"resource"`
	Handlers []Handler `json:"handlers"`
}

// Resource is what the operator handles.
type Resource struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Plural  string `json:"plural"`
}

// The resources whose definitions the directory crd has. None of them knows its spec; they differ in their status.
var (
	// Subject has a status sub-resource that keeps everything.
	Subject = Resource{Group: "test.kopf.dev", Version: "v1", Kind: "Subject", Plural: "subjects"}
	// Bare has no status sub-resource.
	Bare = Resource{Group: "test.kopf.dev", Version: "v1", Kind: "Bare", Plural: "bares"}
	// Strict has a status sub-resource that drops what it does not know.
	Strict = Resource{Group: "test.kopf.dev", Version: "v1", Kind: "Strict", Plural: "stricts"}
)

// APIVersion returns what objects have as apiVersion.
func (r Resource) APIVersion() string { return r.Group + "/" + r.Version }

// Handler describes one handler.
type Handler struct {
	// On is create, update, delete, resume or field.
	On string `json:"on"`
	// ID is the handler's, without the field.
	ID string `json:"id"`
	// Field is the dotted path of the field that the handler is about, if any.
	Field string `json:"field,omitempty"`
	// Retries is the number of attempts in all; 0 is no limit.
	Retries int `json:"retries,omitempty"`
	// Timeout is the time for all attempts, in seconds; 0 is no limit.
	Timeout float64 `json:"timeout,omitempty"`
}

// FullID returns the id under which progress and results are stored.
func (h Handler) FullID() string {
	if h.Field == "" {
		return h.ID
	}
	return h.ID + "/" + h.Field
}

// With returns the operator with further handlers.
func (o Operator) With(more ...Handler) Operator {
	o.Handlers = append(o.Handlers[:len(o.Handlers):len(o.Handlers)], more...)
	return o
}

// Call is what a handler knows when it is called.
type Call struct {
	// Run is the process that called: the name that Start was given.
	Run     string `json:"run"`
	Handler string `json:"handler"`
	Object  string `json:"object"`
	UID     string `json:"uid"`
	// Version is the resourceVersion of the state that the handler was given.
	Version string          `json:"version"`
	Reason  string          `json:"reason"`
	Retry   int             `json:"retry"`
	Old     json.RawMessage `json:"old"`
	New     json.RawMessage `json:"new"`
	Spec    json.RawMessage `json:"spec"`
	// At is when the prompter was asked.
	At time.Time `json:"-"`
	// Told is what it answered; nil as long as it has not.
	Told *Answer `json:"-"`
}

// Answer is what a handler has to do.
type Answer struct {
	// Fail is empty for success, or temporary, permanent or arbitrary for an error of that sort.
	Fail    string `json:"fail,omitempty"`
	Message string `json:"message,omitempty"`
	// Delay is the delay of a temporary error in seconds.
	Delay float64 `json:"delay,omitempty"`
	// Result is what the handler returns.
	Result any `json:"result,omitempty"`
	// Subs are sub-handlers to run, which will ask for themselves.
	Subs []string `json:"subs,omitempty"`
}

// Succeeded tells whether the handler was told to succeed, all by itself.
func (c Call) Succeeded() bool { return c.Told != nil && c.Told.Fail == "" && len(c.Told.Subs) == 0 }

// Return succeeds with a result.
func Return(result any) Answer { return Answer{Result: result} }

// Retry fails for now.
func Retry(delay time.Duration) Answer {
	return Answer{Fail: "temporary", Message: "not yet", Delay: delay.Seconds()}
}

// GiveUp fails for good.
func GiveUp() Answer { return Answer{Fail: "permanent", Message: "never"} }
