package controlplane

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Admin is the name of the user that may do everything.
const Admin = "admin"

// ControlPlane is a running API server.
type ControlPlane struct {
	process    *process
	kubeconfig string
	config     *rest.Config
}

// Run builds the server if necessary, starts it and returns when it is ready. Meanwhile it reports to progress, which may be
// nil. ctx bounds the start only; afterwards the server runs until Stop, or until this process ends.
func Run(ctx context.Context, progress io.Writer, opts ...Option) (*ControlPlane, error) {
	binary, err := Build(ctx, progress)
	if err != nil {
		return nil, err
	}
	cp := &ControlPlane{}
	if cp.process, cp.kubeconfig, err = startProcess(ctx, binary, commandLine(opts)); err != nil {
		return nil, fmt.Errorf("start the control plane: %w", err)
	}
	if cp.config, err = cp.User(Admin); err != nil {
		return nil, fmt.Errorf("%w (stopped: %v)", err, cp.Stop())
	}
	return cp, nil
}

// Stop stops the server and returns when nothing of it is left: no process, no open port, no file. It may be called more than
// once. It returns an error if the server had ended before, or did not end in good order.
func (cp *ControlPlane) Stop() error {
	return cp.process.stop()
}

// Config returns how to connect as the administrator. The caller may change it.
func (cp *ControlPlane) Config() *rest.Config {
	return rest.CopyConfig(cp.config)
}

// User returns how to connect as one of the users given to WithUser.
func (cp *ControlPlane) User(name string) (*rest.Config, error) {
	overrides := &clientcmd.ConfigOverrides{CurrentContext: name}
	rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: cp.kubeconfig}
	cfg, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig of user %q: %w", name, err)
	}
	cfg.QPS = -1 // a test is as fast as the server
	return cfg, nil
}

// Kubeconfig returns the path of the kubeconfig. Its current context is the administrator's; every other user has a context
// of his name.
func (cp *ControlPlane) Kubeconfig() string {
	return cp.kubeconfig
}

// UserKubeconfig returns the path of a kubeconfig whose current context is that of a user, for programs that cannot choose
// a context. Stop removes it.
func (cp *ControlPlane) UserKubeconfig(name string) (string, error) {
	kubeconfig, err := clientcmd.LoadFromFile(cp.kubeconfig)
	if err != nil {
		return "", fmt.Errorf("read the kubeconfig: %w", err)
	}
	if kubeconfig.Contexts[name] == nil {
		return "", fmt.Errorf("the control plane was started without the user %q", name)
	}
	kubeconfig.CurrentContext = name
	path := filepath.Join(cp.dir(), "secrets", name+".kubeconfig")
	if err := clientcmd.WriteToFile(*kubeconfig, path); err != nil {
		return "", fmt.Errorf("write the kubeconfig of user %q: %w", name, err)
	}
	return path, nil
}

// Log returns the newest lines, at most limit bytes, of the log of the server.
func (cp *ControlPlane) Log(limit int64) (string, error) {
	file, err := os.Open(filepath.Join(cp.dir(), "server.log"))
	if err != nil {
		return "", fmt.Errorf("read the log of the control plane: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", fmt.Errorf("read the log of the control plane: %w", err)
	}
	text, err := io.ReadAll(io.NewSectionReader(file, max(0, info.Size()-limit), limit))
	if err != nil {
		return "", fmt.Errorf("read the log of the control plane: %w", err)
	}
	return string(text), nil
}

// dir returns the directory that the server lives in. It is the server's to remove.
func (cp *ControlPlane) dir() string {
	return filepath.Dir(cp.kubeconfig)
}
