package operator

import (
	"context"
	"strings"
	"testing"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/daemon"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

func nothing() Func {
	return Bind(func(context.Context, *Call[None]) (any, error) { return nil, nil })
}

func resolveOne(h Handler) (daemon.Handler, error) {
	var settings Settings
	settings.fill()
	found, err := resolve(Resource{Handlers: []Handler{h}}, "f", "kopf.zalando.org", kopf.Policy{}, settings)
	if err != nil || len(found.beside) == 0 {
		return daemon.Handler{}, err
	}
	return found.beside[0], nil
}

func TestResolveDaemons(t *testing.T) {
	got, err := resolveOne(Handler{ID: "d", On: OnDaemon, Run: nothing(), Daemon: Daemon{
		CancellationTimeout: time.Second, CancellationBackoff: time.Minute, InitialDelay: After(time.Hour),
		Func: func() Daemon { return Daemon{CancellationTimeout: 2 * time.Second} },
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := (daemon.Ending{Backoff: time.Minute, Timeout: 2 * time.Second, Polling: time.Minute}); got.Ending != want {
		t.Errorf("got %+v, want what the function says over what stands there, and the setting: %+v", got.Ending, want)
	}
	if got.InitialDelay.Fixed != time.Hour || got.Timer != nil || got.Policy.Backoff.From != time.Minute {
		t.Errorf("got %+v", got)
	}
}

func TestResolveTimers(t *testing.T) {
	got, err := resolveOne(Handler{ID: "t", On: OnTimer, Run: nothing(), Timer: Timer{
		Interval: time.Second, Func: func() Timer { return Timer{Idle: time.Minute, Sharp: true} },
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := (daemon.Timer{Interval: time.Second, Sharp: true, Idle: time.Minute}); got.Timer == nil || *got.Timer != want {
		t.Errorf("got %+v, want %+v", got.Timer, want)
	}
}

func TestResolveRefusesWhatMakesNoSense(t *testing.T) {
	for name, c := range map[string]struct {
		handler Handler
		want    string
	}{
		"mixed":              {Handler{On: OnDaemon | OnCreate}, "do not go together"},
		"both":               {Handler{On: OnDaemon | OnTimer}, "do not go together"},
		"negative":           {Handler{On: OnTimer, Timer: Timer{Interval: -1}}, "interval is negative"},
		"negative delay":     {Handler{On: OnDaemon, Daemon: Daemon{InitialDelay: After(-1)}}, "initialDelay is negative"},
		"sharp":              {Handler{On: OnTimer, Timer: Timer{Sharp: true}}, "sharp without an interval"},
		"schedule":           {Handler{On: OnDaemon, Timer: Timer{Idle: 1}}, "a timer's schedule"},
		"ending of a timer":  {Handler{On: OnTimer, Daemon: Daemon{CancellationTimeout: 1}}, "how a daemon is ended"},
		"panic of arguments": {Handler{On: OnDaemon, Daemon: Daemon{Func: func() Daemon { panic("no") }}}, "panic"},
	} {
		c.handler.ID, c.handler.Run = "h", nothing()
		if _, err := resolveOne(c.handler); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// beside is a daemon's object in the hand of a test.
type beside struct {
	raw   string
	newer chan struct{}
}

func (b *beside) Stopped() kopf.Stopped                    { return never{} }
func (b *beside) Newer() <-chan struct{}                   { return b.newer }
func (b *beside) Newest() ([]byte, <-chan struct{}, error) { return []byte(b.raw), b.newer, nil }

func (b *beside) change(raw string) {
	old := b.newer
	b.raw, b.newer = raw, make(chan struct{})
	close(old)
}

func TestLiveFollowsTheObject(t *testing.T) {
	type spec struct {
		Size int `json:"size"`
	}
	b := &beside{raw: `{"spec":{"size":1}}`, newer: make(chan struct{})}
	c := &Call[None]{attempt: &handling.Attempt{Object: []byte(b.raw), Beside: b}}
	live := Live[spec](c, "spec")
	whole := Live[kopf.Raw](c)

	b.change(`{"spec":{"size":2},"status":{}}`)
	select {
	case <-live.Changed():
	default:
		t.Error("a newer state than that of the call is not noticed")
	}
	if got, err := live.Get(); err != nil || got.Size != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
	select {
	case <-live.Changed():
		t.Error("the state of the last Get counts as newer")
	default:
	}
	if got, err := whole.Get(); err != nil || string(got) != b.raw {
		t.Errorf("got %s, %v", got, err)
	}
	b.change(`{"spec":{"size":"big"}}`)
	<-live.Changed()
	if _, err := live.Get(); err == nil || !strings.Contains(err.Error(), "the object does not decode into operator.spec") {
		t.Errorf("got %v", err)
	}
}

// TestLiveAtRest: what never changes for a handler does not block or panic either.
func TestLiveAtRest(t *testing.T) {
	c := &Call[None]{attempt: &handling.Attempt{Object: []byte(`{"spec":{"a":1}}`)}}
	live := Live[map[string]int](c, "spec")
	if got, err := live.Get(); err != nil || got["a"] != 1 || live.Changed() != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if c.Stopped().Done() != nil || c.Stopped().Reasons() != nil {
		t.Error("a handler of changes is told to stop")
	}
}
