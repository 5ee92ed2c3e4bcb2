package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
	etcdversion "go.etcd.io/etcd/api/v3/version"
	"k8s.io/component-base/version"
)

// kubernetesModule is the module whose version this control plane has.
const kubernetesModule = "k8s.io/kubernetes"

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of Kubernetes and etcd",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkVersion(); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "Kubernetes %s, etcd v%s\n", version.Get().GitVersion, etcdversion.Version)
			return err
		},
	}
}

// checkVersion refuses a binary that was linked without the version of Kubernetes. Its API server would call itself
// "v0.0.0-master+$Format:%H$", which clients cannot parse; the version can only be set by the linker.
func checkVersion() error {
	want, got := builtVersion(), version.Get().GitVersion
	if want == "" || want == got {
		return nil
	}
	return fmt.Errorf("the binary says it is Kubernetes %s, but was built from %s: build it with -ldflags '-X k8s.io/component-base/version.gitVersion=%s'",
		got, want, want)
}

// builtVersion returns the version of Kubernetes that was compiled, or "" where the build does not record it.
func builtVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, dep := range info.Deps {
		if dep.Path == kubernetesModule {
			return dep.Version
		}
	}
	return ""
}
