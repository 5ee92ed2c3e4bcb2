package login_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/login"
)

// guarded is a server that wants a token, and echoes bodies.
type guarded struct {
	mu       sync.Mutex
	token    string
	requests []string // method, path, and who asked
	streams  chan string
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	who := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if as := r.Header.Get("Impersonate-User"); as != "" {
		who += " as " + as
	}
	g.requests = append(g.requests, fmt.Sprintf("%s %s %s", r.Method, r.URL.Path, who))
	good := strings.HasPrefix(who, g.token)
	g.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if !good {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","code":401}`)
		return
	}
	if !r.URL.Query().Has("watch") {
		_, _ = w.Write(body)
		return
	}
	w.(http.Flusher).Flush()
	for line := range g.streams {
		fmt.Fprintln(w, line)
		w.(http.Flusher).Flush()
	}
}

func (g *guarded) wants(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.token = token
}

func (g *guarded) happened(t *testing.T, want ...string) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if d := cmp.Diff(want, g.requests); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	g.requests = nil
}

func with(cfg *rest.Config, token string) *rest.Config {
	cfg = rest.CopyConfig(cfg)
	cfg.BearerToken = token
	return cfg
}

// stage is a keeper with a client.
type stage struct {
	*guarded
	client *api.Client
	keeper *login.Keeper
	fatal  []error
	logins int
}

// newStage logs in; next makes the credentials of the login of that number.
func newStage(t *testing.T, next func(number int, cfg *rest.Config) (*rest.Config, error)) *stage {
	s := &stage{guarded: &guarded{token: "1", streams: make(chan string)}}
	cfg := apitest.Config(t, s)
	s.keeper = login.New(func(_ context.Context, usable func(*rest.Config) bool) (*rest.Config, error) {
		s.logins++
		cfg, err := next(s.logins, cfg)
		if err == nil && !usable(cfg) {
			return nil, login.ErrRefused
		}
		return cfg, err
	}, func(err error) { s.fatal = append(s.fatal, err) }, slog.New(slog.DiscardHandler))
	t.Cleanup(s.keeper.Close)
	got, err := s.keeper.Login(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.client, err = api.New(got); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	return s
}

func numbered(number int, cfg *rest.Config) (*rest.Config, error) {
	return with(cfg, fmt.Sprint(number)), nil
}

// A token that is revoked in the middle of everything costs one login: all requests get their answers, with their bodies, and a stream that
// is open stays open.
func TestRotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, numbered)
		stream, err := s.client.Stream(t.Context(), "/stream", url.Values{"watch": {"true"}}, "")
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
		s.wants("2")
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				body := fmt.Sprintf(`{"n":%d}`, i)
				got, err := s.client.Patch(t.Context(), "/object", types.MergePatchType, []byte(body), nil)
				if err != nil || string(got) != body {
					t.Errorf("%s, %v", got, err)
				}
			})
		}
		all.Wait()
		if s.logins != 2 {
			t.Errorf("%d logins", s.logins)
		}
		s.streams <- "still here"
		line := make([]byte, len("still here\n"))
		if _, err := io.ReadFull(stream, line); err != nil || string(line) != "still here\n" {
			t.Errorf("%q, %v", line, err)
		}
		close(s.streams)
		again, err := s.client.Stream(t.Context(), "/stream", url.Values{"watch": {"true"}}, "")
		if err != nil {
			t.Fatal(err)
		}
		again.Close()
		if s.logins != 2 || len(s.fatal) > 0 {
			t.Errorf("%d logins, %v", s.logins, s.fatal)
		}
	})
}

// Each rotation is followed at once, however many there were.
func TestManyRotations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, numbered)
		for i := range 9 {
			s.wants(fmt.Sprint(i + 1))
			if _, err := s.client.Get(t.Context(), "/object", nil); err != nil {
				t.Error(i, err)
			}
		}
	})
}

// Credentials that stay refused are not asked for again and again, and are noticed when they work again.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, func(_ int, cfg *rest.Config) (*rest.Config, error) { return with(cfg, "1"), nil })
		s.wants("other")
		for range 3600 {
			if _, err := s.client.Get(t.Context(), "/object", nil); !apierrors.IsUnauthorized(err) {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		if s.logins < 60 || s.logins > 70 {
			t.Errorf("%d logins within an hour, want about one a minute", s.logins)
		}
		s.wants("1")
		if _, err := s.client.Get(t.Context(), "/object", nil); err != nil || len(s.fatal) > 0 {
			t.Error(err, s.fatal)
		}
	})
}

// A login that fails for good is told; the request gets the server's answer.
func TestFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("no more tokens")
		s := newStage(t, func(number int, cfg *rest.Config) (*rest.Config, error) {
			if number > 1 {
				return nil, broken
			}
			return with(cfg, "1"), nil
		})
		s.wants("2")
		if _, err := s.client.Get(t.Context(), "/object", nil); !apierrors.IsUnauthorized(err) {
			t.Error(err)
		}
		if len(s.fatal) != 1 || !errors.Is(s.fatal[0], broken) {
			t.Error(s.fatal)
		}
	})
}

// A request that ends while it waits does not end the login, from which the next one profits.
func TestALoginThatTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, func(number int, cfg *rest.Config) (*rest.Config, error) {
			if number > 1 {
				time.Sleep(time.Minute)
			}
			return numbered(number, cfg)
		})
		s.wants("2")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.client.Get(ctx, "/object", nil); err == nil {
			t.Error("it did not wait")
		}
		time.Sleep(time.Minute)
		if _, err := s.client.Get(t.Context(), "/object", nil); err != nil || s.logins != 2 {
			t.Errorf("%v, %d logins", err, s.logins)
		}
	})
}

// New credentials may be for another server, below another path, and for another user.
func TestMoving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, func(number int, cfg *rest.Config) (*rest.Config, error) {
			cfg = with(cfg, fmt.Sprint(number))
			cfg.Host = fmt.Sprintf("http://memory%d/clusters/%d", number, number)
			cfg.Impersonate.UserName = fmt.Sprintf("user%d", number)
			return cfg, nil
		})
		for i := range 3 {
			s.wants(fmt.Sprint(i + 1))
			if _, err := s.client.Post(t.Context(), "/api/v1/things", []byte("{}"), nil); err != nil {
				t.Fatal(err)
			}
		}
		s.happened(t,
			"POST /clusters/1/api/v1/things 1 as user1",
			"POST /clusters/1/api/v1/things 1 as user1", "POST /clusters/2/api/v1/things 2 as user2",
			"POST /clusters/2/api/v1/things 2 as user2", "POST /clusters/3/api/v1/things 3 as user3")
	})
}
