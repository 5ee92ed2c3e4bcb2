package operator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"github.com/kopfgen/kopfgen/runtime/internal/logging"
)

// Main is the command line of an operator's binary. With one definition, the binary has the command run; with several, each has a command
// of its own with run below it. Main ends the process: with status 0 after a signal to stop, 1 if the operator failed, and 2 if the command
// line is wrong. A second signal ends it at once.
func Main(definitions ...Definition) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // from then on, a signal ends the process
	status := command(ctx, os.Args, os.Environ(), os.Stdout, os.Stderr, definitions)
	stop()
	os.Exit(status)
}

// usageError marks errors of the command line, as opposed to those of the operator.
type usageError struct{ error }

// command runs the command line and returns the exit status.
func command(ctx context.Context, args, environ []string, stdout, stderr io.Writer, definitions []Definition) int {
	root := rootCommand(args[0], environ, definitions)
	root.SetArgs(args[1:])
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s: %v\n\n%s", cmd.CommandPath(), err, cmd.UsageString())
		return 2
	}
	fmt.Fprintf(stderr, "%s: %v\n", cmd.CommandPath(), err)
	return 1
}

func rootCommand(name string, environ []string, definitions []Definition) *cobra.Command {
	root := &cobra.Command{
		Use:           filepath.Base(name),
		Short:         "A Kubernetes operator",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("unknown command %q", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return usageError{errors.New("what to do is missing")} },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	if len(definitions) == 1 {
		d := definitions[0]
		root.Short = fmt.Sprintf("The Kubernetes operator %s", d.Name)
		root.AddCommand(runCommand(d, environ))
		return root
	}
	for _, d := range definitions {
		group := &cobra.Command{Use: d.Name, Short: fmt.Sprintf("The Kubernetes operator %s", d.Name), Args: root.Args, RunE: root.RunE}
		group.AddCommand(runCommand(d, environ))
		root.AddCommand(group)
	}
	return root
}

// runCommand returns the command run of one definition.
func runCommand(d Definition, environ []string) *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Handle the objects of a cluster until told to stop",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("unexpected argument %q", args[0])}
			}
			return nil
		},
	}
	flags.register(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := flags.fromEnvironment(cmd.Flags(), environ); err != nil {
			return usageError{err}
		}
		opts, err := flags.options(cmd.ErrOrStderr())
		if err != nil {
			return usageError{err}
		}
		cfg, err := flags.cluster(d)
		if err != nil {
			return err
		}
		// client-go has its own logger, for example for plugins that fetch credentials.
		klog.SetSlogLogger(logging.AtLeast(opts.Logger, slog.LevelInfo))
		slog.SetDefault(opts.Logger)
		return Run(cmd.Context(), cfg, opts, d)
	}
	return cmd
}
