// Command kopf-controlplane runs a private Kubernetes control plane in one process: etcd, kube-apiserver, and the few controllers
// without which deletion does not complete. It needs no container, no root and no installation, listens on the loopback interface
// only, and leaves nothing behind.
//
// The demo, the tests and local development of an operator run against it. It is a module of its own, so that nobody who uses
// kopfgen has to know Kubernetes' server code; internal/controlplane of the main module builds, caches, starts and stops it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks for an orderly stop. From then on signals have their usual effect again, for the impatient.
	context.AfterFunc(ctx, restore)

	// Whoever reads our output may be gone; that is an error of the write, not a reason to leave everything behind.
	signal.Ignore(syscall.SIGPIPE)

	if err := rootCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func rootCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "kopf-controlplane",
		Short:         "A private Kubernetes control plane in one process",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
	}
	cmd.AddCommand(runCommand(), versionCommand())
	return cmd
}
