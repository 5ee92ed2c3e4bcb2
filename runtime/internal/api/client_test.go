package api_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
)

var examples = api.Resource{Group: "kopf.dev", Version: "v1", Plural: "kopfexamples", Kind: "KopfExample", Namespaced: true, HasStatus: true}

func status(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":%q,"code":%d}`, reason, message, code)
}

func TestPatchSendsWhatItIsGiven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := apitest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, "%s %s %s %s %v", r.Method, r.URL, r.Header.Get("Content-Type"), body, strings.HasPrefix(r.UserAgent(), "kopfgen/"))
			if r.Header.Get("Accept-Encoding") != "" {
				t.Error("compression was asked for")
			}
		}))
		path := examples.Path("default", "one", "status")
		got, err := client.Patch(t.Context(), path, types.MergePatchType, []byte(`{"a":1}`), url.Values{"fieldManager": {"me"}})
		if err != nil {
			t.Fatal(err)
		}
		const want = `PATCH /apis/kopf.dev/v1/namespaces/default/kopfexamples/one/status?fieldManager=me application/merge-patch+json {"a":1} true`
		if string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestErrorsNameOperationAndObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := apitest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				http.Error(w, "a proxy spoke", http.StatusBadGateway)
				return
			}
			status(w, http.StatusConflict, "Conflict", "somebody was faster")
		}))
		path := examples.Path("default", "one", "")
		_, err := client.Patch(t.Context(), path, types.MergePatchType, []byte(`{}`), nil)
		if !apierrors.IsConflict(err) || err.Error() != "patch "+path+": somebody was faster" {
			t.Errorf("patch: %v", err)
		}
		_, err = client.Stream(t.Context(), path, nil, "")
		if !apierrors.IsConflict(err) || err.Error() != "get "+path+": somebody was faster" {
			t.Errorf("stream: %v", err)
		}
		var asStatus *apierrors.StatusError
		if _, err = client.Post(t.Context(), path, []byte(`{}`), nil); !errors.As(err, &asStatus) || asStatus.ErrStatus.Code != http.StatusBadGateway {
			t.Errorf("answer without Status: %v", err)
		}
	})
}

func TestRefusalsAreRepeated(t *testing.T) {
	tests := map[string]struct {
		refuse   func(http.ResponseWriter)
		requests int
		waited   time.Duration
		failed   func(error) bool
	}{
		"busy once": {
			refuse: func(w http.ResponseWriter) {
				w.Header().Set("Retry-After", "3")
				status(w, http.StatusTooManyRequests, "TooManyRequests", "busy")
			},
			requests: 2, waited: 3 * time.Second,
		},
		"credentials expired": {
			refuse:   func(w http.ResponseWriter) { status(w, http.StatusUnauthorized, "Unauthorized", "who?") },
			requests: 2,
		},
		"forbidden": {
			refuse:   func(w http.ResponseWriter) { status(w, http.StatusForbidden, "Forbidden", "no") },
			requests: 1, failed: apierrors.IsForbidden,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				requests := 0
				client := apitest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					if requests++; requests == 1 {
						tt.refuse(w)
						return
					}
					w.Header().Set("Content-Type", "application/json")
					_, _ = w.Write(body)
				}))
				start := time.Now()
				got, err := client.Post(t.Context(), "/apis", []byte("again"), nil)
				switch {
				case tt.failed != nil && !tt.failed(err), tt.failed == nil && err != nil:
					t.Errorf("error: %v", err)
				case tt.failed == nil && string(got) != "again":
					t.Errorf("the body was not sent again: %q", got)
				}
				if requests != tt.requests || time.Since(start) != tt.waited {
					t.Errorf("%d requests in %s, want %d in %s", requests, time.Since(start), tt.requests, tt.waited)
				}
			})
		})
	}
}

// The token in a file changes, and the old one is revoked: neither requests nor streams notice.
func TestTokensInFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	write := func(token string) {
		if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		valid := "one"
		cfg := apitest.Config(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+valid {
				status(w, http.StatusUnauthorized, "Unauthorized", "who?")
			}
		}))
		cfg.BearerTokenFile = file
		client, err := api.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for _, token := range []string{"one", "two", "three"} {
			write(token)
			valid = token
			time.Sleep(time.Second) // of virtual time, in which client-go would not look at the file
			if token != "three" {
				if _, err := client.Get(t.Context(), "/api", nil); err != nil {
					t.Errorf("%s: %v", token, err)
				}
				continue
			}
			body, err := client.Stream(t.Context(), "/api", nil, "")
			if err != nil {
				t.Fatal(err)
			}
			body.Close()
		}
	})
}

func TestSilenceEndsRequestsButNotStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := apitest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("watch") {
				w.(http.Flusher).Flush()
				time.Sleep(5 * time.Hour)
				_, _ = w.Write([]byte("late"))
				return
			}
			<-r.Context().Done()
		}))
		start := time.Now()
		_, err := client.Get(t.Context(), "/api", nil)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 1m0s") || time.Since(start) != api.RequestTimeout {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
		body, err := client.Stream(t.Context(), "/api", url.Values{"watch": {"true"}}, "")
		if err != nil {
			t.Fatal(err)
		}
		defer body.Close()
		if got, err := io.ReadAll(body); err != nil || string(got) != "late" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestWarningsAreLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		defer slog.SetDefault(slog.Default())
		slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
		client := apitest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Warning", `299 - "v1beta1 is old"`)
			w.Header().Set("Content-Type", "application/json")
		}))
		for range 3 {
			if _, err := client.Get(t.Context(), "/api", nil); err != nil {
				t.Fatal(err)
			}
		}
		if n := strings.Count(log.String(), "v1beta1 is old"); n != 1 {
			t.Errorf("logged %d times:\n%s", n, &log)
		}
	})
}

func TestPaths(t *testing.T) {
	pods := api.Resource{Version: "v1", Plural: "pods", Kind: "Pod", Namespaced: true}
	nodes := api.Resource{Version: "v1", Plural: "nodes", Kind: "Node"}
	tests := []struct{ got, want string }{
		{examples.Path("", "", ""), "/apis/kopf.dev/v1/kopfexamples"},
		{examples.Path("ns", "", ""), "/apis/kopf.dev/v1/namespaces/ns/kopfexamples"},
		{examples.Path("ns", "a", "status"), "/apis/kopf.dev/v1/namespaces/ns/kopfexamples/a/status"},
		{pods.Path("ns", "a", ""), "/api/v1/namespaces/ns/pods/a"},
		{nodes.Path("", "a", "status"), "/api/v1/nodes/a/status"},
		{examples.String(), "kopfexamples.v1.kopf.dev"},
		{pods.String(), "pods.v1"},
		{examples.APIVersion(), "kopf.dev/v1"},
		{pods.APIVersion(), "v1"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}
