package main

import (
	"context"
	"time"
)

// round is one turn of a peer: the start alone, then new objects while it runs, then many that it finds.
func (b *bench) round(ctx context.Context, p peer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the watch
	t := b.cluster.track(ctx, sample)
	for _, step := range []func(context.Context, peer, *tracker) error{b.firstRequest, b.created, b.found, b.atRest} {
		if err := step(ctx, p, t); err != nil {
			return err
		}
	}
	return nil
}

// created measures what becomes of objects that are created while the operator runs.
func (b *bench) created(ctx context.Context, p peer, t *tracker) error {
	r, err := b.start(p, sample, b.cluster.plane.Kubeconfig())
	if err != nil {
		return err
	}
	defer r.stop()
	// Once one object has been handled, the operator watches.
	if _, err := b.cluster.create(ctx, sample, "first", 1, smallItems); err != nil {
		return err
	}
	if err := t.until(ctx, r, 1, true); err != nil {
		return err
	}
	before, err := r.quiet(ctx)
	if err != nil {
		return err
	}
	writesBefore, err := b.cluster.writes(ctx, sample)
	if err != nil {
		return err
	}

	begin := time.Now()
	if _, err := b.cluster.create(ctx, sample, "live", b.live, smallItems); err != nil {
		return err
	}
	if err := t.until(ctx, r, b.live+1, true); err != nil {
		return err
	}
	took := time.Since(begin)

	after, err := r.quiet(ctx)
	if err != nil {
		return err
	}
	writesAfter, err := b.cluster.writes(ctx, sample)
	if err != nil {
		return err
	}
	n := float64(b.live)
	b.results.add(cpuPerCreation, p, milliseconds(after.cpu-before.cpu)/n)
	b.results.add(throughput, p, n/took.Seconds())
	b.results.add(writesPerCreation, p, (writesAfter-writesBefore)/n)
	b.results.add(restEmpty, p, before.rss)
	r.stop()
	return b.empty(ctx, t)
}

// found measures how long the operator takes to handle new objects that are there when it starts. They stay, for atRest.
func (b *bench) found(ctx context.Context, p peer, t *tracker) (err error) {
	if b.size, err = b.cluster.create(ctx, sample, "rest", b.rest, bigItems); err != nil {
		return err
	}
	if err := t.until(ctx, nil, b.rest, false); err != nil {
		return err
	}
	begin := time.Now()
	r, err := b.start(p, sample, b.cluster.plane.Kubeconfig())
	if err != nil {
		return err
	}
	defer r.stop()
	if err := t.until(ctx, r, b.rest, true); err != nil {
		return err
	}
	b.results.add(catchUp, p, float64(b.rest)/time.Since(begin).Seconds())
	after, err := r.quiet(ctx) // what it has to write besides
	b.results.add(peakCatchUp, p, after.peak)
	return err
}

// atRest measures an operator that starts with nothing to do: many objects, all of them handled.
func (b *bench) atRest(ctx context.Context, p peer, t *tracker) error {
	r, err := b.start(p, sample, b.cluster.plane.Kubeconfig())
	if err != nil {
		return err
	}
	defer r.stop()
	if _, err := b.cluster.create(ctx, sample, "last", 1, smallItems); err != nil {
		return err
	}
	if err := t.until(ctx, r, b.rest+1, true); err != nil {
		return err
	}
	before, err := r.quiet(ctx)
	if err != nil {
		return err
	}
	begin := time.Now()
	select {
	case <-time.After(b.idle):
	case <-r.done:
		return r.ended()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	after, err := r.stats()
	if err != nil {
		return err
	}
	b.results.add(idleCPU, p, milliseconds(after.cpu-before.cpu)/time.Since(begin).Seconds())
	b.results.add(peakListing, p, after.peak)
	b.results.add(restFull, p, after.rss)
	r.stop()
	return b.empty(ctx, t)
}

// empty deletes all objects, while no operator runs.
func (b *bench) empty(ctx context.Context, t *tracker) error {
	if err := b.cluster.wipe(ctx, t.kind); err != nil {
		return err
	}
	return t.until(ctx, nil, 0, false)
}

// cleanUp deletes what a turn that failed has left.
func (b *bench) cleanUp(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the watch
	return b.empty(ctx, b.cluster.track(ctx, sample))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
