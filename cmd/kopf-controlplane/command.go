package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"
)

const runHelp = `Run a control plane until SIGINT or SIGTERM.

As soon as it is ready, one line on standard output says where it listens and where its kubeconfig is. The kubeconfig has
a context "admin", which may do everything, and one context for each --user, which may do what RBAC grants it.

Everything lives in a directory of its own that is removed at the end: a temporary one, or the one named by --dir, of
which then only server.log remains, and with --keep the data too. Certificates and tokens are new with every start.

Arguments after "--" are handed to kube-apiserver as they are:

  kopf-controlplane run -- --etcd-compaction-interval=10s`

func runCommand() *cobra.Command {
	var cfg config
	var exitWithStdin bool
	cmd := &cobra.Command{
		Use:   "run [flags] [-- kube-apiserver flags]",
		Short: "Run a control plane until SIGINT or SIGTERM",
		Long:  runHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if exitWithStdin {
				ctx = untilEOF(ctx, os.Stdin)
			}
			cfg.apiserverArgs = args
			return run(ctx, cfg, cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&cfg.dir, "dir", "", "`directory` for data and logs (default: a temporary one)")
	flags.BoolVar(&cfg.keep, "keep", false, "keep the data in --dir for the next start")
	flags.IntVar(&cfg.port, "port", 0, "port of the API server on 127.0.0.1 (default: a free one)")
	flags.StringVar(&cfg.kubeconfig, "kubeconfig-out", "", "`file` to write the kubeconfig to (default: kubeconfig in the directory)")
	flags.StringToStringVar(&cfg.featureGates, "feature-gates", nil, "feature gates of the API server, as `name=bool,...`")
	flags.Var(&cfg.users, "user", "one more user, as name or name:group1,group2; repeatable")
	flags.IntVarP(&cfg.verbosity, "verbosity", "v", 0, "verbosity of server.log")
	flags.BoolVar(&exitWithStdin, "exit-with-stdin", false, "stop when standard input ends, so that a parent that dies takes it along")
	return cmd
}

// untilEOF returns a context that ends with ctx or with r, whichever comes first. A parent that holds the other end of a
// pipe thereby ends us even when it is killed and cannot send a signal. The reading goroutine lives as long as the process.
func untilEOF(ctx context.Context, r io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, r)
	}()
	return ctx
}
