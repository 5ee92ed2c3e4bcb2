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

// activities runs the handlers of an operator that are not for objects.
type activities struct {
	config   *rest.Config
	settings *Settings
	logger   *slog.Logger
	defaults kopf.Policy
}

// run calls all handlers of startup or cleanup, in order, each until it has succeeded or is given up. An operator does not begin without
// one of its startup handlers, so the rest of them are not called then; cleanup handlers are all called, whatever fails.
func (a activities) run(ctx context.Context, on Kind, list []Activity) error {
	var errs []error
	for _, activity := range ofKind(list, on) {
		if _, err := a.attempts(activity).untilDone(ctx); err != nil {
			errs = append(errs, fmt.Errorf("handler %q: %w", activity.ID, err))
			if on == OnStartup {
				break
			}
		}
	}
	return errors.Join(errs...)
}

func ofKind(list []Activity, on Kind) []Activity {
	var found []Activity
	for _, activity := range list {
		if activity.On.Has(on) {
			found = append(found, activity)
		}
	}
	return found
}

// attempts are the attempts of one handler for one purpose.
type attempts struct {
	activities
	Activity
	policy kopf.Policy
	// broken is why the policy is not known, which no further attempt would change.
	broken  error
	retry   int
	started time.Time
	// steady is how long a call must have lasted for its failure to count as the first one; zero means that none does.
	steady time.Duration
}

func (a activities) attempts(activity Activity) *attempts {
	a.logger = a.logger.With("handler", activity.ID)
	out := &attempts{activities: a, Activity: activity}
	policy, err := activity.policy()
	out.policy, out.broken = policy, kopf.Permanent(err)
	out.policy = handling.Fill(handling.Fill(out.policy, a.defaults), kopf.Policy{Backoff: kopf.Backoff{From: a.settings.Backoff}})
	out.reset()
	return out
}

// policy asks the author's function.
func (a Activity) policy() (p kopf.Policy, err error) {
	defer guard(&err)
	if a.PolicyFunc == nil {
		return a.Policy, nil
	}
	return handling.Fill(a.PolicyFunc(), a.Policy), nil
}

// reset begins anew.
func (a *attempts) reset() { a.retry, a.started = 0, time.Now() }

// once makes one attempt and judges it. If the handler is to be called again, err says why, and so does the log.
func (a *attempts) once(ctx context.Context) (result any, next handling.Verdict, err error) {
	began := time.Now()
	if err = a.broken; err == nil {
		result, err = a.call(ctx)
	}
	if a.steady > 0 && time.Since(began) >= a.steady {
		a.reset()
	}
	next = handling.Judge(a.policy, err, handling.Attempted{Retries: a.retry + 1, Runtime: time.Since(a.started), Random: rand.Float64()})
	switch {
	case next.Ignored:
		a.logger.Error("the handler failed; the error is ignored", "error", err)
	case next.Done, ctx.Err() != nil:
	case next.Waiting:
		a.logger.Debug("the handler waits", "for", next.Delay)
	default:
		a.retry++
		a.logger.Warn("the handler failed; trying again", "in", next.Delay, "error", err)
	}
	return result, next, err
}

// untilDone makes attempts until one succeeds, or the policy or the context permits no other.
func (a *attempts) untilDone(ctx context.Context) (any, error) {
	for {
		result, next, err := a.once(ctx)
		if next.Done {
			return result, next.Err
		}
		if ctx.Err() != nil {
			return nil, err
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < next.Delay {
			return nil, fmt.Errorf("%w: there is no time for another attempt, after: %w", context.DeadlineExceeded, err)
		}
		if !handling.Pause(ctx, next.Delay) {
			return nil, fmt.Errorf("%w, after: %w", context.Cause(ctx), err)
		}
	}
}

// call turns a panic into an error.
func (a *attempts) call(ctx context.Context) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			a.logger.Error("the handler panicked", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	return a.Run(ctx, &Startup{config: a.config, settings: a.settings, logger: a.logger, retry: a.retry, started: a.started})
}
