// Package apitest is an API server in memory, for tests of what talks to one. Serve serves any handler without a socket, so that it works
// inside a testing/synctest bubble, where a stream can stay silent for hours of virtual time; Server is a handler that keeps objects as an
// API server does.
package apitest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

// Serve runs handler until the test ends and returns a client for it. It must be called in the bubble that uses the client.
func Serve(t testing.TB, handler http.Handler) *api.Client {
	t.Helper()
	client, err := api.New(Config(t, handler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// Config is like Serve, for those who make their own clients. Idle connections of these have to be closed before the test ends.
func Config(t testing.TB, handler http.Handler) *rest.Config {
	t.Helper()
	listener := &memory{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: handler}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		_ = server.Close()
		serving.Wait()
	})
	return &rest.Config{Host: "http://memory", Dial: listener.dial}
}

// memory is a listener whose connections are pipes.
type memory struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (m *memory) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case m.conns <- far:
		return near, nil
	case <-m.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case conn := <-m.conns:
		return conn, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

func (m *memory) Addr() net.Addr { return m }

// Network implements net.Addr.
func (m *memory) Network() string { return "memory" }

// String implements net.Addr.
func (m *memory) String() string { return "memory" }
