// Command demo shows an operator at work; make demo runs it. It builds kopfgen, has it make an operator of examples/01-minimal, and
// tells, in a few chapters, how that operator handles an object on a Kubernetes API server: one of its own or, with DEMO_CLUSTER=current,
// the one that KUBECONFIG names. It ends by itself and leaves nothing behind, also when it is interrupted.
//
// The chapters are in story.go; the other files are what they are told with.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	// Whoever is too impatient for the clean end gets the other one with a second signal.
	context.AfterFunc(ctx, restore)
	if err := run(ctx, newScreen(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "\ndemo:", err)
		os.Exit(1)
	}
}
