package login

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// Func makes credentials. It passes over those that are not usable, since the server has refused them, and returns [ErrRefused] if there are
// no others. Any other error is for good.
type Func func(ctx context.Context, usable func(*rest.Config) bool) (*rest.Config, error)

// ErrRefused tells that there are no credentials but those that the server has refused.
var ErrRefused = errors.New("the API server refuses the credentials, and there are no others")

// The pauses between logins that did not help.
const (
	firstPause = time.Second
	lastPause  = time.Minute
)

// Keeper holds the credentials in use, and has new ones made when the server refuses them.
type Keeper struct {
	login Func
	fatal func(error)
	log   *slog.Logger

	ctx  context.Context
	end  context.CancelFunc
	wait sync.WaitGroup

	mu      sync.Mutex
	session *session
	// renewal is closed when the login in progress has ended; nil if there is none.
	renewal chan struct{}
	// refused are credentials that the server has refused since any have worked.
	refused []*rest.Config
	// notBefore is when the next login may begin, and pause what follows the one after it.
	notBefore time.Time
	pause     time.Duration
}

// session is one set of credentials.
type session struct {
	config    *rest.Config
	transport http.RoundTripper
	server    server
}

// New returns a keeper without credentials. If a later login fails for good, fatal is told why, and there is no other.
func New(login Func, fatal func(error), log *slog.Logger) *Keeper {
	k := &Keeper{login: login, fatal: fatal, log: log}
	k.ctx, k.end = context.WithCancel(context.Background())
	return k
}

// Close ends a login in progress, returns when it has ended, and closes idle connections.
func (k *Keeper) Close() {
	k.end()
	k.wait.Wait()
	if s := k.current(); s != nil {
		utilnet.CloseIdleConnectionsFor(s.transport)
	}
}

// Login makes the first credentials, and returns a configuration that uses them and those that will follow.
func (k *Keeper) Login(ctx context.Context) (*rest.Config, error) {
	cfg, err := k.login(ctx, func(*rest.Config) bool { return true })
	if err != nil {
		return nil, err
	}
	s, err := open(cfg)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.session = s
	out := rest.CopyConfig(cfg)
	out.Wrap(func(direct http.RoundTripper) http.RoundTripper { return &relay{keeper: k, made: s, direct: direct} })
	return out, nil
}

// open makes what sends requests with the credentials.
func open(cfg *rest.Config) (*session, error) {
	transport, err := rest.TransportFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("the credentials of a login handler cannot be used: %w", err)
	}
	server, err := serverOf(cfg)
	if err != nil {
		return nil, fmt.Errorf("the credentials of a login handler cannot be used: %w", err)
	}
	return &session{config: cfg, transport: transport, server: server}, nil
}

func (k *Keeper) current() *session {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.session
}

// accepted notes that the server takes the credentials.
func (k *Keeper) accepted(s *session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s == k.session && k.pause > 0 {
		k.refused, k.pause, k.notBefore = nil, 0, time.Time{}
	}
}

// renew returns credentials newer than those that were refused. It waits for a login, its own or one in progress, at most until the context
// ends; one that has just failed is not repeated yet.
func (k *Keeper) renew(ctx context.Context, refused *session) (*session, error) {
	k.mu.Lock()
	if k.session != refused {
		defer k.mu.Unlock()
		return k.session, nil
	}
	renewal := k.renewal
	switch {
	case renewal != nil:
	case time.Now().Before(k.notBefore) || k.ctx.Err() != nil:
		k.mu.Unlock()
		return nil, ErrRefused
	default:
		renewal = make(chan struct{})
		k.renewal = renewal
		k.wait.Go(func() { k.again(refused, renewal) })
	}
	k.mu.Unlock()
	select {
	case <-renewal:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if s := k.current(); s != refused {
		return s, nil
	}
	return nil, ErrRefused
}

// again logs in once more.
func (k *Keeper) again(refused *session, done chan struct{}) {
	defer close(done)
	known := k.refuse(refused)
	k.log.Info("the API server refuses the credentials; logging in again")
	cfg, err := k.login(k.ctx, func(cfg *rest.Config) bool { return !contains(known, cfg) })
	var s *session
	if err == nil {
		s, err = open(cfg)
	}
	pause := k.renewed(s)
	switch {
	case err == nil, k.ctx.Err() != nil:
	case errors.Is(err, ErrRefused):
		k.log.Warn("logging in gives nothing but credentials that the API server refuses; trying again", "in", pause)
	default:
		k.end() // there will be no other
		k.fatal(err)
	}
}

// refuse notes that credentials were refused, and returns all that were.
func (k *Keeper) refuse(s *session) []*rest.Config {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refused = append(k.refused[max(0, len(k.refused)-remembered+1):], s.config)
	return slices.Clone(k.refused)
}

// renewed takes new credentials, if there are any, and returns the pause before the next login may begin.
func (k *Keeper) renewed(s *session) time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s != nil {
		utilnet.CloseIdleConnectionsFor(k.session.transport)
		k.session = s
	}
	k.renewal = nil
	k.pause = min(max(firstPause, 2*k.pause), lastPause)
	k.notBefore = time.Now().Add(k.pause)
	return k.pause
}
