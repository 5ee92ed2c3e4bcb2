package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

// steady is how long a run must have lasted for its failure to count as the first one.
const steady = time.Minute

var errPaused = errors.New("the operator pauses")

// pauses tells whether the operator is paused or standing by, and returns what is closed when that changes.
type pauses interface {
	Paused() (paused bool, changed <-chan struct{})
}

// unpaused is for operators that do not pause.
type unpaused struct{}

// Paused implements pauses.
func (unpaused) Paused() (bool, <-chan struct{}) { return false, nil }

// background runs the work that is the operator's own, beside its objects: one goroutine for each handler.
type background struct {
	activities
	pauses pauses
	// fatal is told of a handler that was given up.
	fatal func(error)

	running sync.WaitGroup
	end     context.CancelCauseFunc
}

// start begins the work of all background handlers. The context must outlast the handlers of objects, which may rely on that work.
func (b *background) start(ctx context.Context, list []Activity) {
	ctx, b.end = context.WithCancelCause(ctx)
	for _, activity := range ofKind(list, OnBackground) {
		b.running.Go(func() {
			if err := b.keep(ctx, activity); err != nil {
				b.fatal(fmt.Errorf("background handler %q: %w", activity.ID, err))
			}
		})
	}
}

// stop ends the work and waits for it, so long at most.
func (b *background) stop(patience time.Duration) error {
	b.end(errStopping)
	ended := make(chan struct{})
	go func() {
		b.running.Wait()
		close(ended)
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ended:
		return nil
	case <-timer.C:
		return errors.New("background handlers did not return when their contexts ended")
	}
}

// keep does the work of one handler until the context ends, except during pauses. It returns earlier if work that is not periodic is done,
// and with an error if it is given up.
func (b *background) keep(ctx context.Context, activity Activity) error {
	when, err := activity.when()
	if err != nil {
		return err
	}
	work := b.attempts(activity)
	work.steady = steady
	for delay := when.InitialDelay; handling.Pause(ctx, delay); {
		working, release := b.permit(ctx, when.WhilePaused)
		if ctx.Err() != nil {
			release()
			return nil
		}
		_, next, _ := work.once(working)
		interrupted := working.Err() != nil
		release()
		switch {
		case interrupted:
			work.reset()
			delay = 0
		case !next.Done:
			delay = next.Delay
		case when.Interval == 0:
			if next.Err == nil {
				work.logger.Info("the background handler is done")
			}
			return next.Err
		default:
			if next.Err != nil {
				work.logger.Error("the handler is given up until its next run", "in", when.Interval, "error", next.Err)
			}
			work.reset()
			delay = when.Interval
		}
	}
	return nil
}

// permit waits for the end of a pause, and returns a context that ends when another one begins. It is released when the work has ended.
func (b *background) permit(ctx context.Context, whilePaused bool) (working context.Context, release func()) {
	working, cancel := context.WithCancelCause(ctx)
	if whilePaused {
		return working, func() { cancel(nil) }
	}
	for {
		paused, changed := b.pauses.Paused()
		if !paused {
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return working, func() { cancel(nil) }
		}
	}
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			paused, changed := b.pauses.Paused()
			if paused {
				cancel(errPaused)
				return
			}
			select {
			case <-changed:
			case <-working.Done():
				return
			}
		}
	})
	return working, func() { cancel(nil); watch.Wait() }
}

// when asks the author's function.
func (a Activity) when() (b Background, err error) {
	defer guard(&err)
	b = a.Background
	if b.Func == nil {
		return b, nil
	}
	asked := b.Func()
	b.Interval = cmp.Or(asked.Interval, b.Interval)
	b.InitialDelay = cmp.Or(asked.InitialDelay, b.InitialDelay)
	return b, nil
}
