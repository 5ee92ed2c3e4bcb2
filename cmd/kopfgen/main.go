// Command kopfgen generates a Kubernetes operator from Go functions with markers.
//
//	//go:generate go tool kopfgen
//
// Without a sub-command it generates the code of the named packages, by default of the one in the current directory: it writes the files
// that change or, if there are mistakes, prints each with its position and writes nothing. "kopfgen --check" only lists stale files.
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

// errReported ends the command with status 1 after everything has been printed.
var errReported = errors.New("reported")

// usageError marks errors of the command line.
type usageError struct{ error }

// run is the command without the process around it. It returns the exit status: 1 for mistakes, stale files and failures, 2 for a command
// line that makes no sense.
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
