package facts_test

import (
	"os"
	"testing"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/controlplane/facts"
)

func TestMain(m *testing.M) { os.Exit(controlplane.Main(m)) }

func TestRealServer(t *testing.T) {
	cp := controlplane.Shared(t)
	cp.Apply(t, "", facts.CRDs)
	facts.Check(t, facts.Server{Config: cp.Config(), Namespace: cp.Namespace(t)}, facts.All()...)
}
