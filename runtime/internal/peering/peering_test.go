package peering

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// table is an API server in memory with peering objects, in virtual time.
type table struct {
	t      *testing.T
	server *apitest.Server
	client *api.Client
	began  time.Time
	// refuse, if it is set, may answer a request instead of the server.
	refuse func(w http.ResponseWriter, r *http.Request) bool

	mu    sync.Mutex
	diary []string
	log   bytes.Buffer
}

var ours = Resources(false)[0]

func newTable(t *testing.T, resources ...api.Resource) *table {
	tb := &table{t: t, server: apitest.NewServer(resources...), began: time.Now()}
	tb.server.Bookmarks = time.Minute
	tb.client = apitest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tb.refuse == nil || !tb.refuse(w, r) {
			tb.server.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the log:\n%s", &tb.log)
		}
	})
	return tb
}

func (tb *table) Write(line []byte) (int, error) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return tb.log.Write(line)
}

func (tb *table) logged(part string) int {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return strings.Count(tb.log.String(), part)
}

func (tb *table) note(format string, args ...any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.diary = append(tb.diary, fmt.Sprintf("%.0fs ", time.Since(tb.began).Seconds())+fmt.Sprintf(format, args...))
}

// happened compares the diary with what should be in it, by the alphabet: of two operators, either may hear first of the other.
func (tb *table) happened(want ...string) {
	tb.t.Helper()
	synctest.Wait()
	tb.mu.Lock()
	defer tb.mu.Unlock()
	slices.Sort(tb.diary)
	if d := cmp.Diff(want, tb.diary); d != "" {
		tb.t.Errorf("(-want +got):\n%s", d)
	}
	tb.diary = nil
}

// ended makes sure that one thing has happened, whenever it was.
func (tb *table) ended(want string) {
	tb.t.Helper()
	synctest.Wait()
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if len(tb.diary) != 1 || !strings.HasSuffix(tb.diary[0], "s "+want) {
		tb.t.Errorf("got %q", tb.diary)
	}
}

// create makes a peering object.
func (tb *table) create(r api.Resource, namespace, name string) {
	tb.t.Helper()
	if _, err := tb.server.Do("POST", r.Path(namespace, "", ""), "", []byte(`{"metadata":{"name":"`+name+`"}}`)); err != nil {
		tb.t.Fatal(err)
	}
}

// write puts a record, as JSON or null, into the default object of the cluster.
func (tb *table) write(identity, record string) {
	tb.t.Helper()
	patch := fmt.Sprintf(`{"status":{%q:%s}}`, identity, record)
	if _, err := tb.server.Do("PATCH", ours.Path("", "default", ""), "application/merge-patch+json", []byte(patch)); err != nil {
		tb.t.Fatal(err)
	}
}

// alive is the record of a peer that lives now, by a clock that is ahead.
func alive(priority int, ahead time.Duration) string {
	return fmt.Sprintf(`{"priority":%d,"lifetime":60,"lastseen":%q}`, priority, record.FormatTime(time.Now().Add(ahead)))
}

// identities are those that have a record.
func (tb *table) identities() string {
	synctest.Wait()
	return strings.Join(tree.Names(tree.Object(tb.server.Object(ours.Path("", "default", "")), "status"), nil), " ")
}

// join has an operator take part until leave is called, or the test ends.
func (tb *table) join(identity string, priority int, change ...func(*Config)) (leave func()) {
	ctx, cancel := context.WithCancel(context.Background())
	c := Config{
		Client: tb.client, Catalog: NewCatalog(tb.client), Logger: slog.New(slog.NewTextHandler(tb, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Own:  func() Own { return Own{Identity: identity, Priority: priority, Lifetime: time.Minute} },
		Name: "default",
		Changed: func(paused bool, why string) {
			if paused {
				tb.note("%s pauses: %s", identity, why)
				return
			}
			tb.note("%s works", identity)
		},
	}
	for _, f := range change {
		f(&c)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		Run(ctx, c)
	}()
	synctest.Wait()
	leave = func() { cancel(); <-done; synctest.Wait() }
	tb.t.Cleanup(leave)
	return leave
}

func mandatory(c *Config) { c.Mandatory = true }

func TestTwoOperators(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, Resources(false)...)
		tb.create(ours, "", "default")
		tb.join("low", 0)
		tb.happened("0s low works")
		time.Sleep(5 * time.Second)
		leave := tb.join("high", 1)
		tb.happened("5s high works", "5s low pauses: peers of higher priority: high (priority 1)")
		if got := tb.identities(); got != "high low" {
			t.Errorf("records of %s", got)
		}
		time.Sleep(10 * time.Minute)
		leave()
		tb.happened("605s low works")
		if got := tb.identities(); got != "low" {
			t.Errorf("records of %s", got)
		}
		if got := tb.logged("level=WARN"); got != 0 {
			t.Errorf("%d warnings", got)
		}
	})
}

// Operators of one priority pause each other; somebody has to be told how to do better.
func TestEqualPriorities(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, Resources(false)...)
		tb.create(ours, "", "default")
		tb.join("a", 5)
		leave := tb.join("b", 5)
		tb.happened("0s a pauses: peers of the same priority: b (priority 5)", "0s a works", "0s b pauses: peers of the same priority: a (priority 5)")
		time.Sleep(10 * time.Minute)
		if got := tb.logged("--leader-elect"); got != 2 {
			t.Errorf("%d warnings", got)
		}
		leave()
		tb.happened("600s a works")
	})
}

// A peer that was killed is dead after its lifetime. Whoever is left notices that by itself, and removes the record.
func TestADeadPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, Resources(false)...)
		tb.create(ours, "", "default")
		tb.join("me", 0)
		tb.happened("0s me works")
		time.Sleep(7 * time.Second)
		tb.write("them", alive(1, 0))
		tb.write("dead", `{"priority":9,"lifetime":60,"lastseen":"1999-12-31T23:00:00"}`)
		synctest.Wait()
		// It was dead a long time ago, or the clocks differ: a record that is new counts as alive only if it was seen before.
		tb.happened("7s me pauses: peers of higher priority: them (priority 1)")
		if got := tb.identities(); got != "me them" {
			t.Errorf("records of %s", got)
		}
		time.Sleep(2 * time.Minute)
		tb.happened("67s me works")
		if got := tb.identities(); got != "me" {
			t.Errorf("records of %s", got)
		}
	})
}

// What Kopf does every lifetime less five to ten seconds, and what it does not: give up when it fails once.
func TestKeepalives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, Resources(false)...)
		tb.create(ours, "", "default")
		var at []time.Duration
		failures := 0
		tb.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPatch {
				return false
			}
			tb.mu.Lock()
			defer tb.mu.Unlock()
			at = append(at, time.Since(tb.began))
			if len(at) == 3 {
				failures++
				http.Error(w, "not now", http.StatusInternalServerError)
				return true
			}
			return false
		}
		leave := tb.join("me", 0)
		time.Sleep(10 * time.Minute)
		leave()
		if got := tb.identities(); got != "" {
			t.Errorf("records of %s are left", got)
		}
		tb.mu.Lock()
		defer tb.mu.Unlock()
		at = at[:len(at)-1] // the farewell
		for i := 1; i < len(at); i++ {
			least, most := 50*time.Second, 55*time.Second
			if i == 3 {
				least, most = touchAgain, touchAgain
			}
			if pause := at[i] - at[i-1]; pause < least || pause > most {
				t.Errorf("keepalive %d came after %v", i, pause)
			}
		}
		if len(at) < 11 || failures != 1 {
			t.Errorf("%d keepalives, %d failures", len(at), failures)
		}
	})
}

// Without an object to meet at, operators work alone; one that comes later is found, and the record is there at once.
func TestAutomatic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, Resources(false)...)
		var served atomic.Bool
		tb.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			if served.Load() {
				return false
			}
			http.NotFound(w, r)
			return true
		}
		tb.join("me", 0)
		tb.happened("0s me works")
		time.Sleep(time.Minute)
		served.Store(true)
		time.Sleep(time.Minute)
		tb.create(ours, "", "default")
		tb.create(ours, "", "other")
		tb.write("them", alive(1, 0))
		tb.happened("120s me pauses: peers of higher priority: them (priority 1)")
		if got := tb.identities(); got != "me them" {
			t.Errorf("records of %s", got)
		}
		if _, err := tb.server.Do("DELETE", ours.Path("", "default", ""), "", nil); err != nil {
			t.Fatal(err)
		}
		tb.happened("120s me works")
	})
}

// Where peering is mandatory, the operator waits for the definition and for the object.
func TestMandatory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, Resources(false)...)
		var served atomic.Bool
		tb.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			if served.Load() {
				return false
			}
			http.NotFound(w, r)
			return true
		}
		tb.join("me", 0, mandatory)
		tb.happened("0s me pauses: " + whyMissing)
		time.Sleep(time.Minute)
		served.Store(true)
		time.Sleep(time.Minute)
		tb.happened()
		tb.create(ours, "", "other")
		tb.happened()
		tb.create(ours, "", "default")
		tb.happened("120s me works")
		if got := tb.identities(); got != "me" {
			t.Errorf("records of %s", got)
		}
	})
}

// Both groups are served where both exist; a peer in either of them counts.
func TestBothGroups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		resources := Resources(false)
		resources[1].HasStatus = true
		tb := newTable(t, resources...)
		tb.create(resources[0], "", "default")
		tb.create(resources[1], "", "default")
		tb.join("me", 0)
		tb.happened("0s me works")
		patch := fmt.Sprintf(`{"status":{"them":%s}}`, alive(1, 0))
		path := resources[1].Path("", "default", "status")
		if _, err := tb.server.Do("PATCH", path, "application/merge-patch+json", []byte(patch)); err != nil {
			t.Fatal(err)
		}
		tb.happened("0s me pauses: peers of higher priority: them (priority 1)")
		for _, r := range resources {
			status := tree.Object(tb.server.Object(r.Path("", "default", "")), "status")
			if status["me"] == nil {
				t.Errorf("%s has no record: %v", r, status)
			}
		}
	})
}

// Peers meet in their namespace only.
func TestNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := Resources(true)[0]
		tb := newTable(t, Resources(true)...)
		in := func(namespace string) func(*Config) { return func(c *Config) { c.Namespace = namespace } }
		tb.create(r, "a", "default")
		tb.create(r, "b", "default")
		tb.join("low in a", 0, in("a"))
		tb.join("low in b", 0, in("b"))
		tb.happened("0s low in a works", "0s low in b works")
		tb.join("high in a", 1, in("a"))
		tb.happened("0s high in a works", "0s low in a pauses: peers of higher priority: high in a (priority 1)")
	})
}

// What is no record, and clocks that are wrong, are reported once and survived; Kopf's observer dies of the former.
func TestCorruptRecordsAndClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, Resources(false)...)
		tb.create(ours, "", "default")
		tb.write("rubbish", `"not a record"`)
		tb.join("me", 0)
		tb.happened("0s me works")
		tb.write("ahead", alive(1, time.Hour))
		tb.happened("0s me pauses: peers of higher priority: ahead (priority 1)")
		// It is silent from now on. By its own clock, it would be alive for an hour.
		time.Sleep(61 * time.Second)
		tb.happened("60s me works")
		// Its clock is behind by more than it lives. The first record is taken for one of a dead peer; after that, it is seen to be alive.
		for range 5 {
			tb.write("behind", alive(1, -time.Hour))
			time.Sleep(50 * time.Second)
		}
		tb.happened("111s me pauses: peers of higher priority: behind (priority 1)")
		time.Sleep(time.Minute)
		tb.happened("321s me works")
		for text, want := range map[string]int{"no record of a peer": 1, "ahead of ours": 1, "behind ours": 1} {
			if got := tb.logged(text); got != want {
				t.Errorf("%d lines with %q", got, text)
			}
		}
		if got := tb.identities(); got != "me rubbish" {
			t.Errorf("records of %s", got)
		}
	})
}

// Who may not see the peers works alone, unless peering is mandatory.
func TestForbidden(t *testing.T) {
	for name, change := range map[string]func(*Config){"works": func(*Config) {}, "pauses: " + whyMissing: mandatory} {
		synctest.Test(t, func(t *testing.T) {
			tb := newTable(t, Resources(false)...)
			tb.create(ours, "", "default")
			tb.refuse = func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.Contains(r.URL.Path, "peerings") {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusForbidden)
				_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Status", "apiVersion": "v1", "code": 403, "reason": "Forbidden", "message": "no"})
				return true
			}
			tb.join("me", 0, change)
			time.Sleep(10 * time.Minute)
			tb.happened("0s me " + name)
			if got := tb.logged("error=\"forbidden"); got < 1 || got > 2 {
				t.Errorf("%d lines about it", got)
			}
		})
	}
}

// While the operator is cut off from the server, a peer in whose favour it pauses may be alive: it goes on pausing until it knows.
func TestCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, Resources(false)...)
		tb.create(ours, "", "default")
		tb.write("them", alive(1, 0))
		var off atomic.Bool
		tb.refuse = func(w http.ResponseWriter, _ *http.Request) bool {
			if !off.Load() {
				return false
			}
			http.Error(w, "down", http.StatusServiceUnavailable)
			return true
		}
		tb.join("me", 0)
		tb.happened("0s me pauses: peers of higher priority: them (priority 1)")
		off.Store(true)
		time.Sleep(5 * time.Minute)
		tb.happened()
		tb.write("them", alive(1, 0))
		off.Store(false)
		time.Sleep(30 * time.Second)
		tb.happened()
		time.Sleep(time.Minute)
		tb.ended("me works")
	})
}
