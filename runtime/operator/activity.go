package operator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

// activities runs the startup or cleanup handlers of an operator, in order, each until it has succeeded or is given up. The first that is
// given up ends it.
type activities struct {
	on       Kind
	config   *rest.Config
	settings *Settings
	logger   *slog.Logger
	defaults kopf.Policy
}

func (a activities) run(ctx context.Context, list []Activity) error {
	for _, activity := range list {
		if !activity.On.Has(a.on) {
			continue
		}
		if err := a.untilDone(ctx, activity); err != nil {
			return fmt.Errorf("handler %q: %w", activity.ID, err)
		}
	}
	return nil
}

// untilDone calls one handler again and again, as its policy says.
func (a activities) untilDone(ctx context.Context, activity Activity) error {
	policy := fill(fill(activity.Policy, a.defaults), kopf.Policy{Backoff: kopf.Backoff{From: a.settings.Backoff}})
	log := a.logger.With("handler", activity.ID)
	started := time.Now()
	for retry := 0; ; retry++ {
		err := call(ctx, activity, &Startup{
			config: a.config, settings: a.settings, logger: log, retry: retry, started: started,
		})
		var wait *kopf.WaitError
		if errors.As(err, &wait) {
			retry--
		}
		next := handling.Judge(policy, err, handling.Attempted{Retries: retry + 1, Runtime: time.Since(started)})
		switch {
		case next.Ignored:
			log.Error("the handler failed; the error is ignored", "error", err)
			return nil
		case next.Err != nil:
			return next.Err
		case next.Done:
			return nil
		}
		if next.Waiting {
			log.Debug("the handler waits", "for", next.Delay)
		} else {
			log.Warn("the handler failed; trying again", "in", next.Delay, "error", err)
		}
		select {
		case <-time.After(next.Delay):
		case <-ctx.Done():
			return context.Cause(ctx)
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

// fill takes from the defaults what the policy leaves open.
func fill(p, defaults kopf.Policy) kopf.Policy {
	if p.Retries == 0 {
		p.Retries = defaults.Retries
	}
	if p.Timeout == 0 {
		p.Timeout = defaults.Timeout
	}
	if p.Backoff == (kopf.Backoff{}) {
		p.Backoff = defaults.Backoff
	}
	if p.Errors == kopf.ErrorsDefault {
		p.Errors = defaults.Errors
	}
	return p
}
