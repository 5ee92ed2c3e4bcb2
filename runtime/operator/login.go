package operator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/login"
)

// errNoCredentials is why a login fails although no handler has failed.
var errNoCredentials = errors.New("no login handler returned credentials")

// logIn makes the configuration of the operator's clients by login handlers, and keeps it valid until done is called. If all of them are
// given up later on, fatal is told.
func (a activities) logIn(ctx context.Context, handlers []Activity, fatal func(error)) (cfg *rest.Config, done func(), err error) {
	if len(handlers) == 0 {
		return nil, nil, errors.New("there is no configuration of the cluster, and no login handler to make one")
	}
	keeper := login.New(func(ctx context.Context, usable func(*rest.Config) bool) (*rest.Config, error) {
		return newLogin(a, handlers, usable).run(ctx)
	}, func(err error) { fatal(fmt.Errorf("logging in: %w", err)) }, a.logger)
	if cfg, err = keeper.Login(ctx); err != nil {
		keeper.Close()
		return nil, nil, fmt.Errorf("logging in: %w", err)
	}
	return cfg, keeper.Close, nil
}

// oneLogin calls login handlers in their order until one returns credentials that are usable. One that is to be called again later does not
// keep the others waiting.
type oneLogin struct {
	usable func(*rest.Config) bool
	// open are the handlers that may still return some.
	open []*dueAttempts
	// failures are those of the handlers that are given up; refused tells that some returned what is not usable.
	failures []error
	refused  bool
}

type dueAttempts struct {
	*attempts
	due time.Time
}

func newLogin(a activities, handlers []Activity, usable func(*rest.Config) bool) *oneLogin {
	l := &oneLogin{usable: usable}
	for _, h := range handlers {
		l.open = append(l.open, &dueAttempts{attempts: a.attempts(h)})
	}
	return l
}

// run returns when there are credentials, or no handler is left.
func (l *oneLogin) run(ctx context.Context) (*rest.Config, error) {
	for len(l.open) > 0 {
		if cfg := l.round(ctx); cfg != nil {
			return cfg, nil
		}
		if ctx.Err() != nil || !handling.Pause(ctx, l.rest()) {
			return nil, context.Cause(ctx)
		}
	}
	switch {
	case l.refused:
		return nil, login.ErrRefused
	case len(l.failures) > 0:
		return nil, errors.Join(l.failures...)
	}
	return nil, errNoCredentials
}

// round calls the handlers that are due.
func (l *oneLogin) round(ctx context.Context) *rest.Config {
	var open []*dueAttempts
	for _, h := range l.open {
		if ctx.Err() != nil {
			return nil
		}
		if time.Now().Before(h.due) {
			open = append(open, h)
			continue
		}
		result, next, _ := h.once(ctx)
		if !next.Done {
			h.due = time.Now().Add(next.Delay)
			open = append(open, h)
			continue
		}
		cfg, _ := result.(*rest.Config)
		switch {
		case next.Err != nil:
			l.failures = append(l.failures, fmt.Errorf("handler %q: %w", h.ID, next.Err))
		case cfg == nil || next.Ignored:
		case l.usable(cfg):
			return cfg
		default:
			l.refused = true
		}
	}
	l.open = open
	return nil
}

// rest is the time until a handler is due.
func (l *oneLogin) rest() time.Duration {
	var least time.Duration
	for i, h := range l.open {
		if d := time.Until(h.due); i == 0 || d < least {
			least = d
		}
	}
	return max(0, least)
}
