package controlplane

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"
)

// startTimeout bounds the start of a server within a test, compilation on a slow machine included.
const startTimeout = 20 * time.Minute

// Start starts a control plane that ends with the test.
func Start(t testing.TB, opts ...Option) *ControlPlane {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	cp, err := Run(ctx, os.Stderr, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cp.Stop(); err != nil {
			t.Errorf("stop the control plane: %v", err)
		}
	})
	return cp
}

// shared is the control plane that the tests of this process have in common.
var shared struct {
	once sync.Once
	cp   *ControlPlane
	err  error
}

// Shared returns a control plane that all tests of this test binary have in common; it is started when the first of them asks
// for it. Tests keep apart by namespaces, see Namespace; cluster-wide objects are everybody's.
//
// It ends with the process. With Main, the process waits until it has ended.
func Shared(t testing.TB) *ControlPlane {
	t.Helper()
	shared.once.Do(func() {
		// Not the context of the test: the server outlives it.
		ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
		defer cancel()
		shared.cp, shared.err = Run(ctx, os.Stderr)
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.cp
}

// Main runs the tests of a package and stops the control plane that they share, if there is one. It returns the exit status:
//
//	func TestMain(m *testing.M) { os.Exit(controlplane.Main(m)) }
func Main(m *testing.M) int {
	status := m.Run()
	if shared.cp == nil {
		return status
	}
	if err := shared.cp.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stop the control plane:", err)
		return max(status, 1)
	}
	return status
}
