package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/rest"
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // client metrics in the server's /metrics, as in kube-apiserver itself
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// withoutControllers lists the admission plugins that are on by default and useless or harmful here, because the controller
// that completes their work is absent: tokens are never created, quotas never counted, protecting finalizers and taints
// never removed.
var withoutControllers = []string{
	"PodGroupProtection",
	"ResourceQuota",
	"ServiceAccount",
	"StorageObjectInUseProtection",
	"TaintNodesByCondition",
}

// apiserverFlags returns the command line that kube-apiserver would have been started with.
func apiserverFlags(cfg config, db *database, certs *certificates, tokenFile string) []string {
	flags := []string{
		"--etcd-servers=" + db.endpoint,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		// Nothing in this cluster reaches the API server through a Service, and a loopback address is no valid endpoint.
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/24",
		"--tls-cert-file=" + certs.servingCert,
		"--tls-private-key-file=" + certs.servingKey,
		"--token-auth-file=" + tokenFile,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + certs.serviceAccountKey,
		"--service-account-signing-key-file=" + certs.serviceAccountKey,
		"--authorization-mode=RBAC",
		"--disable-admission-plugins=" + strings.Join(withoutControllers, ","),
		"--allow-privileged=true",
		"--profiling=false",
	}
	for gate, value := range cfg.featureGates {
		flags = append(flags, "--feature-gates="+gate+"="+value)
	}
	slices.Sort(flags)
	return append(flags, cfg.apiserverArgs...)
}

// apiserver is the kube-apiserver that runs in this process.
type apiserver struct {
	cancel context.CancelFunc
	// done is closed after the server has ended, and err is valid from then on.
	done chan struct{}
	err  error
}

// startAPIServer starts kube-apiserver on listener, which it owns from then on. The server is not ready yet on return.
func startAPIServer(ctx context.Context, listener net.Listener, flags []string) (*apiserver, error) {
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	completed, err := apiserverOptions(ctx, listener, flags)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("configure kube-apiserver: %w", err)
	}
	s := &apiserver{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		if s.err = app.Run(ctx, completed); s.err == nil && ctx.Err() == nil {
			s.err = errors.New("ended by itself")
		}
	}()
	return s, nil
}

// apiserverOptions does what the command kube-apiserver does between its flags and its server, except that it is given a
// listener: a port that is already ours cannot be lost to somebody else.
func apiserverOptions(ctx context.Context, listener net.Listener, flags []string) (options.CompletedOptions, error) {
	opts := options.NewServerRunOptions()
	set := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, named := range opts.Flags().FlagSets {
		set.AddFlagSet(named)
	}
	if err := set.Parse(flags); err != nil {
		return options.CompletedOptions{}, err
	}
	opts.SecureServing.Listener = listener
	opts.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	if err := opts.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return options.CompletedOptions{}, err
	}
	completed, err := opts.Complete(ctx)
	if err != nil {
		return options.CompletedOptions{}, err
	}
	return completed, utilerrors.NewAggregate(completed.Validate())
}

// stop ends the server and waits for it.
func (s *apiserver) stop() error {
	s.cancel()
	<-s.done
	if s.err != nil {
		return fmt.Errorf("kube-apiserver: %w", s.err)
	}
	return nil
}
