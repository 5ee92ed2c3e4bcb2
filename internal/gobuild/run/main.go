// Command run is go run for programs of this module that take long to compile: it shows the progress, then becomes the program.
//
//	go run ./internal/gobuild/run ./internal/demo
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/kopfgen/kopfgen/internal/gobuild"
)

// binaries is where the programs are kept, below the root of the module.
const binaries = ".cache/bin"

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: run package [arguments]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

// run returns only if it fails.
func run(pkg string, args []string) error {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	program := gobuild.Program{Package: pkg, Output: filepath.Join(binaries, filepath.Base(pkg))}
	progress := gobuild.NewProgress(os.Stderr)
	err := program.Build(ctx, progress)
	progress.End()
	if err != nil {
		return err
	}
	restore()
	return syscall.Exec(program.Output, args, os.Environ())
}
