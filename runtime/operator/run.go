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

// Run runs operators on the cluster of cfg until the context ends, and returns nil then; each definition is good for one run. Startup
// handlers come before the first request, and if one of them is given up, Run returns its error. When the context ends, running handlers
// may finish within the grace period of the settings; what they did is saved, and the rest is taken up by the next run. Cleanup handlers
// come last; their error is returned.
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

// runOne runs one operator from startup to cleanup.
func runOne(ctx context.Context, cfg *rest.Config, opts Options, d Definition) error {
	if err := served(d); err != nil {
		return err
	}
	if cfg.UserAgent == "" && d.Name != "" {
		cfg = rest.CopyConfig(cfg)
		cfg.UserAgent = d.Name + " " + api.UserAgent()
	}
	client, err := api.New(cfg)
	if err != nil {
		return err
	}
	defer client.Close()
	settings := opts.Settings
	settings.fill()
	around := activities{config: cfg, settings: &settings, logger: opts.Logger, defaults: d.Defaults.Policy}

	around.on = OnStartup
	if err := around.run(ctx, d.Activities); err != nil {
		if ctx.Err() != nil {
			return nil // told to stop before it had begun
		}
		return fmt.Errorf("starting up: %w", err)
	}
	settings.fill()

	err = serve(ctx, client, cfg, opts, settings, d)

	// The context is over; what follows has a time of its own.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTime)
	defer cancel()
	around.on = OnCleanup
	if cleanupErr := around.run(last, d.Activities); cleanupErr != nil {
		err = errors.Join(err, fmt.Errorf("cleaning up: %w", cleanupErr))
	}
	return err
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
