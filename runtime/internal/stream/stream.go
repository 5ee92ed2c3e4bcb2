// Package stream turns a resource of the API server into an endless sequence of events: it lists, watches, and goes on after everything
// that can happen to a list or a watch. It stands at the beginning of the way of an event: it cuts what it reads into frames, has package skim
// read them, and passes them to a Sink. What they mean is for the reactor to find out.
package stream

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strconv"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// Type says what has happened to an object.
type Type string

// The types of events.
const (
	Listed   Type = "LISTED" // it is part of a list
	Added    Type = "ADDED"
	Modified Type = "MODIFIED"
	Deleted  Type = "DELETED" // or it has left the selection; the object is as it was before, with the version of its end
)

// Event is news of one object.
type Event struct {
	Type   Type
	Object skim.Object
}

// Sink receives what a Watcher reads. All calls come from one goroutine.
//
// A stream begins with a list: Restart, the objects as Listed events, Synced. Where the server streams the list, changes that happen
// meanwhile may come in between, with their own types. Then follow the changes as they happen. The list is read anew where the server
// has forgotten the version up to which the stream was read; an attempt to list that fails halfway is followed by another Restart.
type Sink interface {
	// Restart begins a list: whatever is not delivered until Synced is gone.
	Restart()

	// Deliver takes one event; they come in the order in which they happened. The bytes of the event are valid only during the call. While
	// it blocks, nothing is read, which the server tolerates for a while; it must not block on one object, nor after the context has ended.
	Deliver(Event)

	// Synced ends a list; the version is that of the whole list. If it returns false, the list is read once more.
	Synced(version string) bool

	// Trouble says that the stream cannot work at the moment, and why; nil says that it works again. It comes once for each kind of
	// trouble, not for each attempt, and not at all for an interruption after which the stream goes on at once. IsNotFound and IsForbidden
	// of k8s.io/apimachinery/pkg/api/errors tell of what somebody else has to end: the resource is not there yet, or may not be read.
	Trouble(error)
}

// Config says what to watch, and for whom.
type Config struct {
	Client    *api.Client
	Resource  api.Resource
	Namespace string // "" for all
	Labels    string // selectors, "" for everything
	Fields    string
	Metadata  bool // read the metadata of the objects only
	Rules     *skim.Rules
	Sink      Sink
	Logger    *slog.Logger

	// Silence is the time without events or bookmarks after which a watch is renewed; 70 s if zero, as in Kopf. API servers send
	// bookmarks about once a minute.
	Silence time.Duration
}

// Default settings.
const (
	DefaultSilence = 70 * time.Second
	pageSize       = 500
)

// Watcher is one stream. Its fields are used by Run alone, except for what Stats returns.
type Watcher struct {
	Config
	path  string
	skim  *skim.Skimmer
	frame skim.Frame
	text  frames

	version    []byte // where to go on; empty if a list is needed
	paged      bool   // the server does not stream lists
	tooNew     int    // how many times in a row the server was behind our version
	opened     bool   // the present attempt got an answer
	trouble    trouble
	backoff    backoff
	stats      stats
	untroubled bool // it has worked since the last failure
}

// New returns a Watcher, which does nothing until Run.
func New(c Config) *Watcher {
	if c.Silence == 0 {
		c.Silence = DefaultSilence
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &Watcher{Config: c, path: c.Resource.Path(c.Namespace, "", ""), skim: skim.New(c.Rules)}
}

// Run reads the stream until the context ends. Nothing else ends it.
func (w *Watcher) Run(ctx context.Context) {
	for ctx.Err() == nil {
		w.opened = false
		err := w.attempt(ctx)
		if ctx.Err() != nil {
			return
		}
		sleep(ctx, w.next(err))
	}
}

// attempt takes one step: it reads a list, or a watch until it ends.
func (w *Watcher) attempt(ctx context.Context) error {
	switch {
	case len(w.version) > 0:
		return w.watch(ctx, false)
	case w.paged:
		return w.list(ctx)
	default:
		return w.watch(ctx, true)
	}
}

// next decides how to go on after an attempt that ended with err, and returns how long to wait before.
func (w *Watcher) next(err error) time.Duration {
	listing := len(w.version) == 0
	switch kindOf(err) {
	case ended:
		return 0
	case silent:
		// The connection may be dead without anybody having noticed, so let the next request open another.
		w.Client.Close()
		w.untroubled = false
		switch {
		case !listing:
			return 0
		case !w.paged:
			// A server that knows nothing of streaming lists takes the request for a plain watch, and never says that the list is complete.
			w.paged = true
			return 0
		}
	case mute:
		w.Client.Close()
		w.version = w.version[:0]
	case refused:
		if listing && !w.paged {
			w.paged = true
			return 0
		}
		w.version = w.version[:0]
	case expired, absent, corrupt:
		w.version = w.version[:0]
	case behind:
		// A server that has just started catches up in a moment. One whose store was restored from a backup never does.
		if w.tooNew++; w.tooNew >= maxTooNew {
			w.version = w.version[:0]
		}
	}
	w.failed(err)
	return w.backoff.next(err)
}

const maxTooNew = 5

// query returns the parameters that all requests have.
func (w *Watcher) query() url.Values {
	q := url.Values{}
	if w.Labels != "" {
		q.Set("labelSelector", w.Labels)
	}
	if w.Fields != "" {
		q.Set("fieldSelector", w.Fields)
	}
	return q
}

// accept returns the media type to ask for.
func (w *Watcher) accept(kind string) string {
	if !w.Metadata {
		return ""
	}
	return "application/json;as=" + kind + ";g=meta.k8s.io;v=v1"
}

// patience returns for how many seconds a watch may live. It is random so that streams that began together do not end together.
func patience() string {
	const least = 5 * 60
	return strconv.Itoa(least + rand.IntN(least))
}

// sleep waits, unless the context ends.
func sleep(ctx context.Context, d time.Duration) {
	if d == 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
