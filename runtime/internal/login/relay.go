package login

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"k8s.io/client-go/rest"
)

// relay sends the requests of clients that were made with one set of credentials: as they are while these are in use, and with others
// afterwards.
type relay struct {
	keeper *Keeper
	// made are the credentials with which the client was made, direct is what sends with them.
	made   *session
	direct http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (r *relay) RoundTrip(req *http.Request) (*http.Response, error) {
	s := r.keeper.current()
	resp, err := r.send(req, s)
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		if err == nil {
			r.keeper.accepted(s)
		}
		return resp, err
	}
	if req.Body != nil && req.Body != http.NoBody && req.GetBody == nil {
		return resp, nil // it cannot be sent again
	}
	next, err := r.keeper.renew(req.Context(), s)
	if err != nil {
		return resp, nil // the server's own words say the most
	}
	again := req.Clone(req.Context())
	if req.GetBody != nil {
		if again.Body, err = req.GetBody(); err != nil {
			return resp, nil
		}
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection can be used again
	_ = resp.Body.Close()
	resp, err = r.send(again, next)
	if err == nil && resp.StatusCode != http.StatusUnauthorized {
		r.keeper.accepted(next)
	}
	return resp, err
}

// WrappedRoundTripper lets client-go find what is below.
func (r *relay) WrappedRoundTripper() http.RoundTripper { return r.direct }

// send sends a request with the credentials of a session.
func (r *relay) send(req *http.Request, s *session) (*http.Response, error) {
	if s == r.made {
		return r.direct.RoundTrip(req)
	}
	moved := req.Clone(req.Context())
	r.made.undress(moved.Header)
	s.server.redirect(moved, r.made.server)
	return s.transport.RoundTrip(moved)
}

// undress takes off what the credentials have put on a request.
func (s *session) undress(h http.Header) {
	h.Del("Authorization")
	if s.config.Impersonate.UserName == "" {
		return
	}
	for name := range h {
		if strings.HasPrefix(name, "Impersonate-") {
			delete(h, name)
		}
	}
}

// server is where requests go.
type server struct{ scheme, host, path string }

func serverOf(cfg *rest.Config) (server, error) {
	u, _, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		return server{}, fmt.Errorf("the server %q: %w", cfg.Host, err)
	}
	return server{u.Scheme, u.Host, strings.TrimSuffix(u.Path, "/")}, nil
}

// redirect points a request that was meant for another server to this one.
func (s server) redirect(req *http.Request, from server) {
	if s == from {
		return
	}
	u := new(url.URL)
	*u = *req.URL
	u.Scheme, u.Host = s.scheme, s.host
	u.Path = s.path + strings.TrimPrefix(u.Path, from.path)
	u.RawPath = ""
	req.URL, req.Host = u, ""
}
