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
	"github.com/spf13/pflag"
)

func main() {
	// More signals after the first change nothing: an orderly stop takes about a second and is limited, and parents like to send
	// the same signal that the terminal has sent to all of us.
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	// Whoever reads our output may be gone; that is an error of the write, not a reason to leave everything behind.
	signal.Ignore(syscall.SIGPIPE)

	if err := rootCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func rootCommand() *cobra.Command {
	// Kubernetes' packages add flags to the command line of whoever imports them.
	pflag.CommandLine = pflag.NewFlagSet("kopf-controlplane", pflag.ContinueOnError)
	cmd := &cobra.Command{
		Use:           "kopf-controlplane",
		Short:         "A private Kubernetes control plane in one process",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.AddCommand(runCommand(), versionCommand())
	return cmd
}
