package exampletest

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/operator"
)

// Run is an operator at work.
type Run struct {
	*Log

	t      testing.TB
	cancel context.CancelFunc
	done   chan struct{} // closed when the operator has ended; err is valid from then on
	err    error
	stop   sync.Once
}

// Run starts an operator that serves the namespace of the stage. An operator of the generator has no rights but those of the role that was
// generated for it. It is stopped at the end of the test, if not before.
func (s *Stage) Run(d operator.Definition) *Run {
	s.t.Helper()
	cfg := s.cp.Config()
	if s.generated {
		cfg = s.within(role)
	}
	return s.RunAs(cfg, []string{s.namespace}, d)
}

// role is where the generator puts the role of an operator in one namespace.
const role = "config/rbac/role.yaml"

// restricted is the user who has no rights but those of roles.
const restricted = "restricted"

// within returns the configuration of a user who has the rights of the role in the namespace, and no others.
func (s *Stage) within(file string) *rest.Config {
	s.t.Helper()
	for _, one := range s.apply(file) {
		s.cp.Apply(s.t, s.namespace, fmt.Sprintf(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: operator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: %s}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %s}]
`, one.GetName(), restricted))
	}
	cfg := rest.CopyConfig(s.cp.Config())
	cfg.Impersonate = rest.ImpersonationConfig{UserName: restricted, Groups: []string{"system:authenticated"}}
	return cfg
}

// RunAs starts an operator with the rights of cfg, which serves the namespaces.
func (s *Stage) RunAs(cfg *rest.Config, namespaces []string, d operator.Definition) *Run {
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	r := &Run{Log: newLog(s.t), t: s.t, cancel: cancel, done: make(chan struct{})}
	logger := slog.New(slog.NewTextHandler(r.Log, &slog.HandlerOptions{ReplaceAttr: short}))
	go func() {
		defer close(r.done)
		r.err = operator.Run(ctx, cfg, operator.Options{Namespaces: namespaces, Logger: logger}, d)
	}()
	s.t.Cleanup(func() {
		r.Stop()
		r.Log.show()
	})
	return r
}

// Stop tells the operator to stop and returns when it has. It fails the test if the operator failed.
func (r *Run) Stop() {
	r.t.Helper()
	r.stop.Do(func() {
		r.cancel()
		<-r.done
		if r.err != nil {
			r.t.Errorf("the operator failed: %v", r.err)
		}
	})
}

// short keeps from the reference to an object only its name, and leaves the time to the log.
func short(groups []string, a slog.Attr) slog.Attr {
	inObject := len(groups) == 1 && groups[0] == "object"
	if inObject && a.Key != "name" || len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
