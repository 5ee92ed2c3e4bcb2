// Command kopfgen makes a Kubernetes operator of Go functions with markers.
//
//	//go:generate go tool kopfgen
//
// Without a sub-command it generates the code of the packages named, of the one in the current directory by default: it prints every
// mistake with its position and then writes nothing, or else writes what has changed. "kopfgen --check" only tells whether files are stale.
//
// This package is the rim of the generator: it reads arguments, prints, and is the only one that writes files.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// errReported ends the command after everything has been said.
var errReported = errors.New("reported")

// usageError marks errors of the command line.
type usageError struct{ error }

// run is the command without the process around it. It returns the exit status: 1 for mistakes, stale files and failures, 2 for a command
// line that is not understood.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	cmd := rootCommand(stdout, stderr)
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errReported):
		return 1
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "kopfgen: %v; see kopfgen --help\n", err)
		return 2
	}
	fmt.Fprintf(stderr, "kopfgen: %v\n", err)
	return 1
}
