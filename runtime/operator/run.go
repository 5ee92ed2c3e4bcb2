package operator

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/reactor"
)

// errStopping is the cause of contexts that end because the operator was told to stop, errGrace of those that end with the grace period.
var (
	errStopping = errors.New("the operator stops")
	errGrace    = errors.New("the operator stops, and the time to finish is over")
)

// cleanupTime bounds the cleanup handlers.
const cleanupTime = time.Minute

// Run runs operators on the cluster of cfg until the context ends, and returns nil then; each definition is good for one run. Without a cfg,
// login handlers make it. Startup handlers come before the first request, and if one of them is given up, or a login fails for good, Run
// returns the error. When the context ends, running handlers may finish within the grace period of the settings; what they did is saved, and
// the rest is taken up by the next run. Cleanup handlers come last; their error is returned.
func Run(ctx context.Context, cfg *rest.Config, opts Options, definitions ...Definition) error {
	if err := opts.check(); err != nil {
		return err
	}
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	if len(definitions) == 1 {
		return runOne(ctx, cfg, opts, definitions[0])
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	errs := make([]error, len(definitions))
	for i, d := range definitions {
		all.Go(func() {
			one := opts
			one.Logger = opts.Logger.With("operator", d.Name)
			if err := runOne(ctx, cfg, one, d); err != nil {
				errs[i] = fmt.Errorf("operator %s: %w", d.Name, err)
				stop(errStopping)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// fatalError is the cause of a context that ends because the operator cannot go on.
type fatalError struct{ error }

// runOne runs one operator from startup to cleanup.
func runOne(ctx context.Context, cfg *rest.Config, opts Options, d Definition) error {
	if err := served(d); err != nil {
		return err
	}
	settings := opts.Settings
	settings.fill()
	own := activities{config: agent(cfg, d.Name), settings: &settings, logger: opts.Logger, defaults: d.Defaults.Policy}
	if err := own.run(ctx, OnStartup, d.Activities); err != nil {
		if ctx.Err() != nil {
			return nil // told to stop before it had begun
		}
		return fmt.Errorf("starting up: %w", err)
	}
	settings.fill()

	working, fail := context.WithCancelCause(ctx)
	err := own.work(working, opts, d, func(err error) { fail(fatalError{err}) })
	if fatal, failed := errors.AsType[fatalError](context.Cause(working)); failed {
		err = errors.Join(fatal.error, err)
	}
	fail(nil)

	// The context is over; what follows has a time of its own.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTime)
	defer cancel()
	if cleanupErr := own.run(last, OnCleanup, d.Activities); cleanupErr != nil {
		err = errors.Join(err, fmt.Errorf("cleaning up: %w", cleanupErr))
	}
	return err
}

// work logs in and does all that there is to do until the context ends. If the operator cannot go on, fatal is told, and must end the
// context.
func (a *activities) work(ctx context.Context, opts Options, d Definition, fatal func(error)) error {
	if a.config == nil {
		cfg, logOut, err := a.logIn(ctx, ofKind(d.Activities, OnLogin), fatal)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		defer logOut()
		a.config = agent(cfg, d.Name)
	}
	client, err := api.New(a.config)
	if err != nil {
		return err
	}
	defer client.Close()

	beside := background{activities: *a, pauses: unpaused{}, fatal: fatal}
	beside.start(context.WithoutCancel(ctx), d.Activities)
	err = serve(ctx, client, a.config, opts, *a.settings, d)
	return errors.Join(err, beside.stop(a.settings.Grace/5))
}

// agent names the operator in its requests, unless the configuration has a name of its own.
func agent(cfg *rest.Config, operator string) *rest.Config {
	if cfg == nil || cfg.UserAgent != "" || operator == "" {
		return cfg
	}
	cfg = rest.CopyConfig(cfg)
	cfg.UserAgent = operator + " " + api.UserAgent()
	return cfg
}

// serve handles objects until the context ends, and lets running handlers finish.
func serve(ctx context.Context, client *api.Client, cfg *rest.Config, opts Options, settings Settings, d Definition) error {
	requests, endRequests := context.WithCancelCause(context.WithoutCancel(ctx))
	defer endRequests(errStopping)
	handlers, endHandlers := context.WithCancelCause(requests)
	defer endHandlers(errStopping)
	shared := shared{
		client: client, config: cfg, logger: opts.Logger, settings: settings,
		turns: reactor.NewTurns(settings.Turns), kept: reactor.NewBudget(settings.KeptBytes),
	}
	var services []*service
	for _, r := range d.Resources {
		s, err := newService(contexts{handlers, requests}, shared, d.Defaults, r)
		if err != nil {
			return fmt.Errorf("resource %s.%s: %w", r.Plural, r.Group, err)
		}
		services = append(services, s)
	}
	namespaces := slices.Compact(slices.Sorted(slices.Values(opts.Namespaces)))

	var streams sync.WaitGroup
	for _, s := range services {
		streams.Go(func() { s.run(ctx, namespaces) })
	}
	<-ctx.Done()
	opts.Logger.Info("stopping; running handlers may finish", "within", settings.Grace)
	for _, s := range services {
		s.stop()
	}
	streams.Wait()
	return drain(shared.turns, settings.Grace, endHandlers, endRequests, opts.Logger)
}

// drain waits for running turns to end: first for the grace period; then, with the contexts of handlers ended, for a fifth of it, in which
// turns save what was done; then, with the contexts of their requests ended as well, for another fifth.
func drain(turns *reactor.Turns, grace time.Duration, endHandlers, endRequests context.CancelCauseFunc, log *slog.Logger) error {
	turns.Close()
	wait := func(d time.Duration) bool {
		ctx, cancel := context.WithTimeout(context.Background(), d)
		defer cancel()
		return turns.Wait(ctx) == nil
	}
	saving := grace / 5
	if wait(grace) {
		return nil
	}
	running, _ := turns.Running()
	log.Warn("handlers still run; ending their contexts", "running", running)
	endHandlers(errGrace)
	if wait(saving) {
		return nil
	}
	endRequests(errGrace)
	if wait(saving) {
		return nil
	}
	running, _ = turns.Running()
	return fmt.Errorf("%d handlers did not return when their contexts ended", running)
}
