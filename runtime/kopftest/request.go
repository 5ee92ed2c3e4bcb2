package kopftest

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"
)

// Verb is what a request does. Looking resources up is no verb: such requests do not count, and do not fail.
type Verb string

// The verbs, as in access rules.
const (
	Create Verb = "create"
	Get    Verb = "get"
	List   Verb = "list"
	Watch  Verb = "watch"
	Update Verb = "update"
	Patch  Verb = "patch"
	Delete Verb = "delete"
)

// Request is a request of the operator.
type Request struct {
	// At is the virtual time since the stage was made.
	At   time.Duration
	Verb Verb
	// Resource is the plural name; Namespace and Name are empty where the request is not for one.
	Resource, Namespace, Name, Subresource string
	// Body is what is sent.
	Body []byte
}

// String names the request: patch backups default/orders status.
func (r Request) String() string {
	text := string(r.Verb) + " " + r.Resource
	if r.Namespace != "" || r.Name != "" {
		text += " " + strings.Trim(r.Namespace+"/"+r.Name, "/")
	}
	if r.Subresource != "" {
		text += " " + r.Subresource
	}
	return text
}

// read finds out what a request is for. It reports false if that is no object or collection of them.
func read(r *http.Request) (Request, bool) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis" && parts[1] != "apiextensions.k8s.io":
		parts = parts[3:]
	default:
		return Request{}, false
	}
	var out Request
	if len(parts) > 2 && parts[0] == "namespaces" {
		out.Namespace, parts = parts[1], parts[2:]
	}
	out.Resource = parts[0]
	if len(parts) > 1 {
		out.Name = parts[1]
	}
	if len(parts) > 2 {
		out.Subresource = parts[2]
	}
	switch {
	case r.Method == http.MethodGet && r.URL.Query().Has("watch"):
		out.Verb = Watch
	case r.Method == http.MethodGet && out.Name == "":
		out.Verb = List
	default:
		out.Verb = map[string]Verb{
			http.MethodGet: Get, http.MethodPost: Create, http.MethodPut: Update, http.MethodPatch: Patch, http.MethodDelete: Delete,
		}[r.Method]
	}
	if body, err := io.ReadAll(r.Body); err == nil {
		out.Body = body
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	return out, true
}
