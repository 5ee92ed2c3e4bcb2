package main

import "context"

// manyHandlers measures what ten handlers that succeed at once cost. There is nothing to compare in controller-runtime, which has one
// function per kind and leaves the rest to its author.
func (b *bench) manyHandlers(ctx context.Context) error {
	for _, p := range []peer{kopf, kopfgen} {
		if err := b.tenHandlers(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) tenHandlers(ctx context.Context, p peer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the watch
	t := b.cluster.track(ctx, ten)
	r, err := b.start(p, ten, b.cluster.plane.Kubeconfig())
	if err != nil {
		return err
	}
	defer r.stop()
	if _, err := b.cluster.create(ctx, ten, "first", 1, smallItems); err != nil {
		return err
	}
	if err := t.until(ctx, r, 1, true); err != nil {
		return err
	}
	before, err := r.quiet(ctx)
	if err != nil {
		return err
	}
	writesBefore, err := b.cluster.writes(ctx, ten)
	if err != nil {
		return err
	}
	if _, err := b.cluster.create(ctx, ten, "live", b.ten, smallItems); err != nil {
		return err
	}
	if err := t.until(ctx, r, b.ten+1, true); err != nil {
		return err
	}
	after, err := r.quiet(ctx)
	if err != nil {
		return err
	}
	writesAfter, err := b.cluster.writes(ctx, ten)
	if err != nil {
		return err
	}
	b.results.add(writesOfTen, p, (writesAfter-writesBefore)/float64(b.ten))
	b.results.add(cpuOfTen, p, milliseconds(after.cpu-before.cpu)/float64(b.ten))
	r.stop()
	return b.empty(ctx, t)
}
