package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/internal/annotation"
	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/discovery"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/reactor"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
	"github.com/kopfgen/kopfgen/runtime/internal/stream"
)

// discoveryInterval is the pause between two looks for a resource that is not there yet.
const discoveryInterval = 2 * time.Second

// shared is what the services of one run have in common.
type shared struct {
	client   *api.Client
	config   *rest.Config
	logger   *slog.Logger
	settings Settings
	turns    *reactor.Turns
	kept     *reactor.Budget
}

// service handles the objects of one resource: from finding it on the server to its streams and reactors, one of each for every
// namespace that is served.
type service struct {
	shared
	declared api.Resource
	rules    *skim.Rules
	reactor  reactor.Config
	contexts contexts

	mu       sync.Mutex
	reactors []*reactor.Reactor
}

// contexts are the context of handlers, and that of the requests that save what came of them, which lasts longer.
type contexts struct{ handlers, requests context.Context }

// newService makes the service of a resource as it is declared.
func newService(c contexts, sh shared, d Defaults, r Resource) (*service, error) {
	finalizer := cmp.Or(d.Finalizer, defaultFinalizer)
	prefix := cmp.Or(d.Prefix, annotation.KopfPrefix)
	resolved, err := resolve(r, finalizer, prefix, d.Policy, sh.settings)
	if err != nil {
		return nil, err
	}
	rules := skim.Compile(skim.Config{Finalizer: finalizer, Prefixes: []string{prefix}, Extra: r.Watch.Extra, Reads: r.Watch.Reads})
	return &service{
		shared: sh, contexts: c, rules: rules,
		declared: api.Resource{Group: r.Group, Version: r.Version, Kind: r.Kind, Plural: r.Plural, Namespaced: r.Namespaced},
		reactor: reactor.Config{
			Handlers: resolved.Resource, Essence: essence.Rules{Prefix: prefix, Extra: r.Watch.Extra}, Storage: storage.Storage{Prefix: prefix},
			Skim: rules, Client: sh.client, RESTConfig: sh.config, Logger: sh.logger, Turns: sh.turns, Kept: sh.kept,
			NoBase: r.Watch.Base == BaseNone,
		},
	}, nil
}

// run handles the resource until the context ends.
func (s *service) run(ctx context.Context, namespaces []string) {
	found, ok := s.find(ctx)
	if !ok {
		return
	}
	if !found.Namespaced || len(namespaces) == 0 {
		namespaces = []string{""}
	}
	s.logger.Info("serving", "resource", found.Resource.String(), "namespaces", spell(namespaces))
	var streams sync.WaitGroup
	for _, namespace := range namespaces {
		streams.Go(func() { s.stream(found.Resource, namespace).Run(ctx) })
	}
	streams.Wait()
}

// spell names namespaces for people.
func spell(namespaces []string) string {
	if namespaces[0] == "" {
		return "all"
	}
	return strings.Join(namespaces, ",")
}

// stream makes a reactor and the stream that feeds it.
func (s *service) stream(r api.Resource, namespace string) *stream.Watcher {
	cfg := s.reactor
	cfg.Resource = r
	cfg.Find = func(ctx context.Context) (api.Resource, error) {
		found, err := discovery.Find(ctx, s.client, s.declared)
		return found.Resource, err
	}
	sink := reactor.New(s.contexts.handlers, s.contexts.requests, cfg)
	s.mu.Lock()
	s.reactors = append(s.reactors, sink)
	s.mu.Unlock()
	return stream.New(stream.Config{
		Client: s.client, Resource: r, Namespace: namespace, Rules: s.rules, Sink: sink,
		Logger: s.logger, Silence: s.settings.Silence,
	})
}

// stop lets no further handler be called.
func (s *service) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.reactors {
		r.Stop()
	}
}

// find waits until the server has the resource. It returns false if the context ends first.
func (s *service) find(ctx context.Context) (discovery.Found, bool) {
	said := ""
	for ctx.Err() == nil {
		found, err := discovery.Find(ctx, s.client, s.declared)
		if err == nil {
			err = s.usable(ctx, found)
		}
		if err == nil {
			return found, true
		}
		// Once for each kind of trouble, not for each attempt.
		if text := err.Error(); text != said && ctx.Err() == nil {
			var absent *discovery.AbsentError
			if errors.As(err, &absent) {
				s.logger.Warn("a resource is not there yet; it will be served when it comes", "resource", s.declared.String(), "error", err)
			} else {
				s.logger.Error("a resource cannot be served; trying again", "resource", s.declared.String(), "error", err)
			}
			said = text
		}
		select {
		case <-time.After(discoveryInterval):
		case <-ctx.Done():
		}
	}
	return discovery.Found{}, false
}

// usable checks what can be done with the resource, and warns of what its definition makes dangerous.
func (s *service) usable(ctx context.Context, found discovery.Found) error {
	if lacking := found.Lacks("list", "watch", "patch"); len(lacking) > 0 {
		return fmt.Errorf("resource %s does not know the verbs %q", found.Resource, lacking)
	}
	definition, ok, err := discovery.Define(ctx, s.client, found.Resource)
	if err != nil {
		return err
	}
	if ok {
		if warning := definition.Warning(); warning != "" {
			s.logger.Warn(warning, "resource", found.Resource.String())
		}
	}
	return nil
}
