package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// bench is one run of everything.
type bench struct {
	options
	temp    string // everything that is written; removed at the end
	started time.Time
	cluster *cluster
	results results
	// failures are the turns that a peer did not come through.
	failures []string
	size     int // of an object at rest as the server sends it before it is handled, in bytes
}

// newBench builds the peers and starts the control plane.
func newBench(ctx context.Context, o options) (_ *bench, err error) {
	b := &bench{options: o, started: time.Now()}
	if b.root, err = filepath.Abs(o.root); err != nil {
		return nil, err
	}
	if b.temp, err = os.MkdirTemp("", "kopfgen-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.close())
		}
	}()
	if err := b.build(ctx); err != nil {
		return nil, err
	}
	b.cluster, err = startCluster(ctx, []string{
		filepath.Join(b.root, "bench/peers/kopfgen/config/crd/bench.kopf.dev_samples.yaml"),
		filepath.Join(b.root, "bench/peers/kopfgenten/config/crd/bench.kopf.dev_tens.yaml"),
	})
	return b, err
}

// close leaves nothing behind.
func (b *bench) close() error {
	var err error
	if b.cluster != nil {
		err = b.cluster.stop()
	}
	return errors.Join(err, os.RemoveAll(b.temp))
}

// measure takes all measures. The peers take turns, A B C A B C, so that what the machine does besides meets all of them.
func (b *bench) measure(ctx context.Context) error {
	for round := range b.rounds {
		for _, p := range peers {
			b.say("round %d of %d: %s", round+1, b.rounds, p)
			err := b.round(ctx, p)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err == nil {
				continue
			}
			// What one peer does not manage on a busy machine is reported, and does not take the other results along.
			failure := fmt.Sprintf("%s, round %d: %v", p, round+1, err)
			b.say("%s", failure)
			b.failures = append(b.failures, failure)
			if err := b.cleanUp(ctx); err != nil {
				return err
			}
		}
	}
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"ten handlers", b.manyHandlers}, {"events that change nothing", b.events}, {"generators", b.generators},
	} {
		b.say("%s", step.name)
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// say tells people how far it is.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%4.0fs %s\n", time.Since(b.started).Seconds(), fmt.Sprintf(format, args...))
}
