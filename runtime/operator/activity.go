package operator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

// activities runs the startup or cleanup handlers of an operator, in order, each until it has succeeded or is given up. An operator does not
// begin without one of its startup handlers, so the rest of them are not called then; cleanup handlers are all called, whatever fails.
type activities struct {
	on       Kind
	config   *rest.Config
	settings *Settings
	logger   *slog.Logger
	defaults kopf.Policy
}

func (a activities) run(ctx context.Context, list []Activity) error {
	var errs []error
	for _, activity := range list {
		if !activity.On.Has(a.on) {
			continue
		}
		if err := a.untilDone(ctx, activity); err != nil {
			errs = append(errs, fmt.Errorf("handler %q: %w", activity.ID, err))
			if a.on == OnStartup {
				break
			}
		}
	}
	return errors.Join(errs...)
}

// untilDone calls one handler again and again, as its policy says.
func (a activities) untilDone(ctx context.Context, activity Activity) error {
	policy := handling.Fill(handling.Fill(activity.Policy, a.defaults), kopf.Policy{Backoff: kopf.Backoff{From: a.settings.Backoff}})
	log := a.logger.With("handler", activity.ID)
	started := time.Now()
	for retry := 0; ; {
		err := call(ctx, activity, &Startup{
			config: a.config, settings: a.settings, logger: log, retry: retry, started: started,
		})
		next := handling.Judge(policy, err, handling.Attempted{Retries: retry + 1, Runtime: time.Since(started), Random: rand.Float64()})
		switch {
		case next.Ignored:
			log.Error("the handler failed; the error is ignored", "error", err)
			return nil
		case next.Done:
			return next.Err
		case ctx.Err() != nil:
			return err
		case next.Waiting:
			log.Debug("the handler waits", "for", next.Delay)
		default:
			retry++
			log.Warn("the handler failed; trying again", "in", next.Delay, "error", err)
		}
		select {
		case <-time.After(next.Delay):
		case <-ctx.Done():
			return fmt.Errorf("%w, after: %w", context.Cause(ctx), err)
		}
	}
}

// call turns a panic into an error.
func call(ctx context.Context, activity Activity, s *Startup) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			s.logger.Error("the handler panicked", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	_, err = activity.Run(ctx, s)
	return err
}
