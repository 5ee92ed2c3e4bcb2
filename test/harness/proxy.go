package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// Request is one request that went through a proxy.
type Request struct {
	At          time.Time
	Method      string
	Path        string
	Query       url.Values
	ContentType string
	Body        string
	// Status and Answer came back; the latter is kept for writes only. They are zero until then.
	Status int
	Answer string
}

// Writes tells whether the request may have changed anything.
func (r Request) Writes() bool { return r.Method != http.MethodGet }

// Kind says what sort of write it is: the form of the patch, and the sub-resource if there is one, such as "merge status".
func (r Request) Kind() string {
	form, _, _ := strings.Cut(strings.TrimPrefix(r.ContentType, "application/"), "-patch+json")
	if form == "json" && r.Method != http.MethodPatch {
		form = r.Method
	}
	if strings.HasSuffix(r.Path, "/status") {
		form += " status"
	}
	return form
}

// Patch returns the body of a merge patch.
func (r Request) Patch(t testing.TB) map[string]any {
	t.Helper()
	var patch map[string]any
	if err := json.Unmarshal([]byte(r.Body), &patch); err != nil {
		t.Fatalf("the body of %s %s: %v", r.Method, r.Path, err)
	}
	return patch
}

// Proxy passes requests on to an API server and records them.
type Proxy struct {
	kubeconfig string

	mu       sync.Mutex
	requests []*Request
	// before is called with each request that writes, before it is passed on.
	before func(Request)
	// after is called with each request that writes once its answer is there, before that is passed on.
	after func(Request)
}

// NewProxy starts a proxy to the API server of the configuration, with the rights of its user.
func NewProxy(t testing.TB, cfg *rest.Config) *Proxy {
	t.Helper()
	transport, err := rest.TransportFor(cfg)
	if err != nil {
		t.Fatal(err)
	}
	target, _, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{}
	reverse := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = target.Host },
		Transport:     transport,
		FlushInterval: -1,
		ErrorHandler:  func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		ErrorLog:      silent,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.pass(reverse, w, r) }))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	p.kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	config := fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: proxy,
clusters: [{name: proxy, cluster: {server: %q}}],
users: [{name: proxy, user: {token: unused}}],
contexts: [{name: proxy, context: {cluster: proxy, user: proxy}}]}`, server.URL)
	if err := os.WriteFile(p.kubeconfig, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// Kubeconfig returns the path of a kubeconfig that leads to the proxy.
func (p *Proxy) Kubeconfig() string { return p.kubeconfig }

// Intercept has functions called around each request that writes: before it is passed on, and when its answer is there but not passed
// back yet. Either may be nil.
func (p *Proxy) Intercept(before, after func(Request)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before, p.after = before, after
}

func (p *Proxy) pass(reverse *httputil.ReverseProxy, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Del("Authorization") // the transport has its own
	request := &Request{
		At: time.Now(), Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), ContentType: r.Header.Get("Content-Type"), Body: string(body),
	}
	p.mu.Lock()
	p.requests = append(p.requests, request)
	before, after, copied := p.before, p.after, *request
	p.mu.Unlock()
	if !copied.Writes() {
		reverse.ServeHTTP(w, r)
		return
	}
	r.Header.Del("Accept-Encoding") // the answer is to be read here
	if before != nil {
		before(copied)
	}
	answer := httptest.NewRecorder()
	reverse.ServeHTTP(answer, r)
	p.mu.Lock()
	request.Status, request.Answer = answer.Code, answer.Body.String()
	copied = *request
	p.mu.Unlock()
	if after != nil {
		after(copied)
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // the process may be dead by now
}

// Requests returns all requests so far.
func (p *Proxy) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []Request
	for _, r := range p.requests {
		all = append(all, *r)
	}
	return all
}

// Writes returns the requests so far that may have changed the named object.
func (p *Proxy) Writes(object string) []Request {
	var found []Request
	for _, r := range p.Requests() {
		if r.Writes() && (strings.HasSuffix(r.Path, "/"+object) || strings.Contains(r.Path, "/"+object+"/")) {
			found = append(found, r)
		}
	}
	return found
}

// Kinds returns the kinds of requests, in their order.
func Kinds(requests []Request) []string {
	kinds := []string{}
	for _, r := range requests {
		kinds = append(kinds, r.Kind())
	}
	return kinds
}

// silent drops what the reverse proxy says about connections that processes broke by being killed.
var silent = log.New(io.Discard, "", 0)
