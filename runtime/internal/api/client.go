// Package api is the way to the API server: every request of the runtime goes through its Client. It speaks JSON as bytes, knows no Go
// types of the objects, and leaves authentication, TLS and the wire to client-go's REST client. Above it stand stream, which reads lists
// and watches; patch, which writes to objects; and discovery, which asks what the server serves.
package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// RequestTimeout bounds Get, Patch, Post and Delete, repetitions included, unless the rest.Config names a timeout of its own. It is the
// time after which an API server gives up such a request, too.
const RequestTimeout = time.Minute

// Client sends requests to one API server. It is safe for concurrent use.
//
// Errors name the operation and the path, and wrap a *apierrors.StatusError wherever the server answered. A request that the server
// refused for the moment, with a Retry-After header, is repeated after that time; one that it answered with 401 is repeated once, since
// the refusal makes client-go fetch new credentials.
type Client struct {
	rest    *rest.RESTClient
	http    *http.Client
	timeout time.Duration
}

// New returns a client for cfg, which it copies. There is no client-side rate limit, which is left to the server's priority and fairness,
// and no compression: operators mostly run beside their server, and it would cost them more CPU than it is worth. Warnings of the server go to
// the default slog logger, each once, unless cfg has a handler for them.
func New(cfg *rest.Config) (*Client, error) {
	cfg = rest.CopyConfig(cfg)
	cfg.QPS, cfg.RateLimiter = -1, nil
	cfg.DisableCompression = true
	cfg.ContentType, cfg.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	cfg.NegotiatedSerializer = statusOnly()
	if cfg.UserAgent == "" {
		cfg.UserAgent = UserAgent()
	}
	if cfg.WarningHandler == nil && cfg.WarningHandlerWithContext == nil {
		cfg.WarningHandlerWithContext = &warnings{}
	}
	// The timeout of an http.Client would cut streams as well.
	timeout := RequestTimeout
	if cfg.Timeout > 0 {
		timeout, cfg.Timeout = cfg.Timeout, 0
	}
	freshTokens(cfg)
	httpClient, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("connecting to the API server: %w", err)
	}
	restClient, err := rest.UnversionedRESTClientForConfigAndClient(cfg, httpClient)
	if err != nil {
		return nil, fmt.Errorf("connecting to the API server: %w", err)
	}
	return &Client{rest: restClient, http: httpClient, timeout: timeout}, nil
}

// Close closes idle connections. The client can still be used afterwards.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Get reads path.
func (c *Client) Get(ctx context.Context, path string, query url.Values) ([]byte, error) {
	return c.do(ctx, http.MethodGet, path, query, "", nil)
}

// Patch changes the object at path. The query is for fieldManager, fieldValidation, force and dryRun.
func (c *Client) Patch(ctx context.Context, path string, kind types.PatchType, body []byte, query url.Values) ([]byte, error) {
	return c.do(ctx, http.MethodPatch, path, query, string(kind), body)
}

// Post creates an object in the collection at path, or calls what else takes a POST, such as a review.
func (c *Client) Post(ctx context.Context, path string, body []byte, query url.Values) ([]byte, error) {
	return c.do(ctx, http.MethodPost, path, query, runtime.ContentTypeJSON, body)
}

// Delete removes the object at path. The body holds the options, as a metav1.DeleteOptions, and may be nil.
func (c *Client) Delete(ctx context.Context, path string, body []byte) ([]byte, error) {
	return c.do(ctx, http.MethodDelete, path, nil, runtime.ContentTypeJSON, body)
}

// Stream opens path for reading a body of any length; the caller closes it. Only ctx ends it: there is no timeout, and no repetition
// but the one after a 401, because whoever reads streams decides about both. An accept other than "" replaces the default of plain JSON.
func (c *Client) Stream(ctx context.Context, path string, query url.Values, accept string) (io.ReadCloser, error) {
	var body io.ReadCloser
	var err error
	for range 2 {
		r := c.request(http.MethodGet, path, query).MaxRetries(0)
		if accept != "" {
			r.SetHeader("Accept", accept)
		}
		if body, err = r.Stream(ctx); !apierrors.IsUnauthorized(err) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", path, err)
	}
	return body, nil
}

// do sends a request: twice where the credentials have expired.
func (c *Client) do(ctx context.Context, verb, path string, query url.Values, contentType string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, fmt.Errorf("no answer within %s: %w", c.timeout, context.DeadlineExceeded))
	defer cancel()
	var answer []byte
	var err error
	for range 2 {
		r := c.request(verb, path, query)
		if body != nil {
			r.SetHeader("Content-Type", contentType).Body(body)
		}
		result := r.Do(ctx)
		// Raw has the body, Error the Status that may be in it.
		answer, _ = result.Raw()
		if err = result.Error(); !apierrors.IsUnauthorized(err) {
			break
		}
	}
	if err == nil {
		return answer, nil
	}
	return nil, fmt.Errorf("%s %s: %w", strings.ToLower(verb), path, err)
}

func (c *Client) request(verb, path string, query url.Values) *rest.Request {
	r := c.rest.Verb(verb).AbsPath(path)
	for name, values := range query {
		for _, value := range values {
			r.Param(name, value)
		}
	}
	return r
}

// statusOnly decodes the one type that the REST client needs to understand: metav1.Status, which carries errors.
func statusOnly() runtime.NegotiatedSerializer {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return serializer.NewCodecFactory(scheme).WithoutConversion()
}

// UserAgent is how requests name the runtime, where the configuration says nothing else.
func UserAgent() string { return "kopfgen/" + version() }

// version is that of this module in the running program.
func version() string {
	const module = "github.com/kopfgen/kopfgen"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == module && m.Version != "" && m.Version != "(devel)" {
				return m.Version
			}
		}
	}
	return "devel"
}
