package operator

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
)

// gate lets only the bearers of a token in.
type gate struct {
	*stage
	token atomic.Value
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+g.token.Load().(string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","message":"who?","code":401}`)
		return
	}
	g.stage.ServeHTTP(w, r)
}

// logins is a stage whose operator has to log in.
type logins struct {
	*stage
	gate *gate
	cfg  *rest.Config
}

func newLogins(t *testing.T) *logins {
	s := newStage(t)
	l := &logins{stage: s, gate: &gate{stage: s}}
	l.gate.token.Store("good")
	l.cfg = apitest.Config(t, l.gate)
	s.anonymous = true
	return l
}

// handler notes its calls and returns what is next: a token, an error, or nil for no credentials.
func (l *logins) handler(id string, next ...any) Activity {
	return Activity{ID: id, On: OnLogin, Run: func(_ context.Context, s *Startup) (any, error) {
		l.note("%s", id)
		what := next[0]
		if len(next) > 1 {
			next = next[1:]
		}
		switch what := what.(type) {
		case string:
			cfg := rest.CopyConfig(l.cfg)
			cfg.BearerToken = what
			return cfg, nil
		case error:
			return (*rest.Config)(nil), what
		}
		return (*rest.Config)(nil), nil
	}}
}

// The first credentials in the order of the handlers are used; a handler that is tried again later keeps nobody waiting.
func TestLogin(t *testing.T) {
	later, never := kopf.Temporary(errRefused, 10*time.Second), kopf.Permanent(errRefused)
	for name, c := range map[string]struct {
		handlers func(*logins) []Activity
		want     []string
	}{
		"the first": {
			func(l *logins) []Activity { return []Activity{l.handler("a", "good"), l.handler("b", "bad")} },
			[]string{"0s a", "0s first request", "0s made ns/a"},
		},
		"the first that has any": {
			func(l *logins) []Activity {
				return []Activity{l.handler("a", nil), l.handler("b", never), l.handler("c", later), l.handler("d", "good")}
			},
			[]string{"0s a", "0s b", "0s c", "0s d", "0s first request", "0s made ns/a"},
		},
		"after a while": {
			func(l *logins) []Activity {
				return []Activity{l.handler("a", never), l.handler("b", later, later, "good"), l.handler("c", kopf.Temporary(errRefused, 15*time.Second))}
			},
			[]string{"0s a", "0s b", "0s c", "10s b", "15s c", "20s b", "20s first request", "20s made ns/a"},
		},
		"the next one after a refusal": {
			func(l *logins) []Activity { return []Activity{l.handler("a", "bad"), l.handler("b", "good")} },
			[]string{"0s a", "0s a", "0s b", "0s first request", "0s made ns/a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLogins(t)
				l.create("ns", "a")
				d := definition(l.stage.handler("made", OnCreate, nil))
				d.Activities = c.handlers(l)
				l.run(d)
				time.Sleep(time.Minute)
				l.happened(c.want...)
				if err := l.end(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Startup handlers come before the login, and what has been opened is cleaned up if it fails for good.
func TestALoginFails(t *testing.T) {
	for name, c := range map[string]struct {
		next []any
		says string
	}{
		"permanently": {[]any{kopf.Permanent(errRefused)}, `logging in: handler "in": refused`},
		"without any": {[]any{nil}, "no login handler returned credentials"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLogins(t)
				d := definition(l.stage.handler("made", OnCreate, nil))
				d.Activities = []Activity{l.activity("open", OnStartup), l.handler("in", c.next...), l.activity("close", OnCleanup)}
				l.run(d)
				<-l.stopped
				if l.result == nil || !strings.Contains(l.result.Error(), c.says) {
					t.Error(l.result)
				}
				l.happened("0s open", "0s in", "0s close", "0s end")
			})
		})
	}
}

// Credentials that are revoked while objects are handled are replaced, without a word to the handlers and without a list anew; if there
// are no others for good, the operator ends with an error instead of waiting for ever as Kopf does.
func TestCredentialsAreRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLogins(t)
		d := definition(l.stage.handler("made", OnCreate, nil))
		d.Activities = []Activity{l.handler("in", "good", "better", kopf.Permanent(errRefused)), l.activity("close", OnCleanup)}
		l.run(d)
		time.Sleep(time.Second)
		l.gate.token.Store("better")
		l.create("ns", "a")
		time.Sleep(time.Second)
		l.happened("0s in", "0s first request", "1s made ns/a", "1s in")
		if !strings.Contains(l.annotations("a"), "last-handled") {
			t.Error("what was done is not saved")
		}
		if l.watches != 1 {
			t.Errorf("%d watches: the stream did not last", l.watches)
		}
		l.gate.token.Store("best")
		l.create("ns", "b")
		<-l.stopped
		if !errors.Is(l.result, errRefused) || !strings.HasPrefix(l.result.Error(), "logging in") {
			t.Error(l.result)
		}
		l.happened("2s made ns/b", "2s in", "14s close", "14s end")
	})
}

// A stop while the operator logs in is no failure.
func TestAStopDuringTheLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLogins(t)
		d := definition(l.stage.handler("made", OnCreate, nil))
		d.Activities = []Activity{l.handler("in", kopf.Temporary(errRefused, time.Hour)), l.activity("close", OnCleanup)}
		l.run(d)
		time.Sleep(time.Second)
		if err := l.end(); err != nil {
			t.Error(err)
		}
		l.happened("0s in", "1s close", "1s end")
	})
}

// Whoever runs an operator with a configuration has decided.
func TestAConfigurationNeedsNoLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		d := definition(s.handler("made", OnCreate, nil))
		d.Activities = []Activity{s.activity("in", OnLogin)}
		s.create("ns", "a")
		s.run(d)
		time.Sleep(time.Second)
		if err := s.end(); err != nil {
			t.Error(err)
		}
		s.happened("0s first request", "0s made ns/a", "1s end")
	})
}
