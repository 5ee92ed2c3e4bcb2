package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// options are how much is measured.
type options struct {
	root     string
	rounds   int
	live     int
	rest     int
	ten      int
	idle     time.Duration
	limit    time.Duration
	markdown string
}

// The kernel ends the operators together with the thread that started them, so that they never outlive this process. That is the main
// thread, which is the only one that lasts.
func init() { runtime.LockOSThread() }

func main() {
	var o options
	flag.StringVar(&o.root, "root", "..", "root of the source tree")
	flag.IntVar(&o.rounds, "rounds", 3, "how often each peer has its turn")
	flag.IntVar(&o.live, "live", 500, "objects that are created while the operator runs")
	flag.IntVar(&o.rest, "rest", 2000, "objects that the operator finds when it starts")
	flag.IntVar(&o.ten, "ten", 50, "objects that ten handlers handle")
	flag.DurationVar(&o.idle, "idle", 5*time.Second, "how long the operator is watched doing nothing")
	flag.DurationVar(&o.limit, "limit", 15*time.Minute, "when to give up")
	flag.StringVar(&o.markdown, "markdown", "", "file for the table; standard error unless given")
	flag.Parse()
	if flag.NArg() > 0 || min(o.rounds, o.live, o.rest, o.ten) < 1 || o.idle <= 0 {
		fmt.Fprintln(os.Stderr, "bench: rounds, numbers of objects and durations are positive, and there are no arguments")
		os.Exit(2)
	}

	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	// Whoever is too impatient for the clean end gets the other one with a second signal.
	context.AfterFunc(ctx, restore)
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures everything and writes the report: JSON to the standard output, and a table for people.
func run(ctx context.Context, o options) (err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, o.limit, fmt.Errorf("not done after %v", o.limit))
	defer cancel()
	b, err := newBench(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.measure(ctx); err != nil {
		return err
	}
	report := b.report()
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	if err := out.Encode(report); err != nil {
		return err
	}
	if o.markdown != "" {
		return os.WriteFile(o.markdown, []byte(report.markdown()), 0o644)
	}
	_, err = os.Stderr.WriteString("\n" + report.markdown())
	return err
}
