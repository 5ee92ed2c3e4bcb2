// Command prepare compiles the control plane that tests and the demo run against, unless it is compiled already, and prints the
// path of the binary. Run before the tests, it shows how far the minutes of the first compilation are, and keeps them out of the
// time limits of tests.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/kopfgen/kopfgen/internal/controlplane"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	binary, err := controlplane.Build(ctx, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	fmt.Println(binary)
}
