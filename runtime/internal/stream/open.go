package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"
)

// open sends a request and returns the answer, which ends with errSilent when nothing comes for a while.
func (w *Watcher) open(ctx context.Context, q url.Values, accept string) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	d := &watchdog{ctx: ctx, cancel: cancel, silence: w.Silence}
	d.timer = time.AfterFunc(w.Silence, func() { cancel(errSilent) })
	body, err := w.Client.Stream(ctx, w.path, q, accept)
	d.timer.Stop()
	if err != nil {
		if errors.Is(context.Cause(ctx), errSilent) {
			err = fmt.Errorf("get %s: no answer within %s", w.path, w.Silence)
		}
		cancel(nil)
		return nil, err
	}
	d.body = body
	w.opened = true
	w.stats.heard()
	if !w.trouble.inside {
		w.recovered()
	}
	return d, nil
}

// watchdog is a body that does not stay silent for ever. Only the time spent on reading counts, not that between two reads, in which the
// sink may be busy.
type watchdog struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	silence time.Duration
	body    io.ReadCloser
}

func (d *watchdog) Read(p []byte) (int, error) {
	d.timer.Reset(d.silence)
	n, err := d.body.Read(p)
	d.timer.Stop()
	if err != nil && err != io.EOF && errors.Is(context.Cause(d.ctx), errSilent) {
		err = errSilent
	}
	return n, err
}

func (d *watchdog) Close() error {
	d.timer.Stop()
	d.cancel(nil)
	return d.body.Close()
}
