package peering

import (
	"bytes"
	"context"
	"log/slog"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/stream"
)

// state is a state of a peering object.
type state struct {
	there   presence
	raw     []byte
	version string
}

// rules are of no consequence: nothing is decided by digests here.
var rules = skim.Compile(skim.Config{})

// stateOf reads the version of an object.
func stateOf(raw []byte) state {
	o, err := rules.Object(raw)
	if err != nil {
		return state{}
	}
	return state{there: present, raw: raw, version: string(o.Version)}
}

// older tells whether a state is known to be older than another one, or the same.
func (s state) older(than state) bool {
	a, errA := strconv.ParseUint(s.version, 10, 64)
	b, errB := strconv.ParseUint(than.version, 10, 64)
	return errA == nil && errB == nil && a <= b
}

// mailbox keeps the newest that the stream says of one object, for whoever comes to fetch it.
type mailbox struct {
	name    string
	arrived chan struct{} // has an element if there is news

	mu    sync.Mutex
	last  news
	found bool // the object was in the list that is being read
}

// news is what a stream says.
type news struct {
	state
	// trouble is why the object is taken for absent, if it is not just not there.
	trouble error
}

func newMailbox(name string) *mailbox { return &mailbox{name: name, arrived: make(chan struct{}, 1)} }

// watch has a stream fill the mailbox until the context ends. Wait for what it returns.
func (m *mailbox) watch(ctx context.Context, client *api.Client, r api.Resource, namespace string, log *slog.Logger) *sync.WaitGroup {
	var reading sync.WaitGroup
	watcher := stream.New(stream.Config{
		Client: client, Resource: r, Namespace: namespace, Fields: "metadata.name=" + m.name, Rules: rules, Sink: m, Logger: log,
	})
	reading.Go(func() { watcher.Run(ctx) })
	return &reading
}

func (m *mailbox) newest() news {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

func (m *mailbox) put(n news) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = n
	select {
	case m.arrived <- struct{}{}:
	default:
	}
}

// Restart implements [stream.Sink].
func (m *mailbox) Restart() { m.found = false }

// Deliver implements [stream.Sink].
func (m *mailbox) Deliver(ev stream.Event) {
	switch {
	case string(ev.Object.Name) != m.name:
	case ev.Type == stream.Deleted:
		m.put(news{state: state{there: absent}})
	default:
		m.found = true
		m.put(news{state: state{there: present, raw: bytes.Clone(ev.Object.Raw), version: string(ev.Object.Version)}})
	}
}

// Synced implements [stream.Sink].
func (m *mailbox) Synced(string) bool {
	if !m.found {
		m.put(news{state: state{there: absent}})
	}
	return true
}

// Trouble implements [stream.Sink]. While the object was seen, a stream that does not work says nothing about it: blockers that are not
// heard of any more are asked for by the next keepalive.
func (m *mailbox) Trouble(err error) {
	if err == nil || m.newest().there == present && !apierrors.IsNotFound(err) {
		return
	}
	m.put(news{state: state{there: absent}, trouble: err})
}
