package stream_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/stream"
)

// TestOnServer reads a real API server, which is all that shows whether the scripts of the other tests are true.
func TestOnServer(t *testing.T) {
	for name, options := range map[string][]controlplane.Option{
		"streaming list": nil,
		"paged list":     {controlplane.WithFeatureGate("WatchList", false)},
	} {
		t.Run(name, func(t *testing.T) {
			server := controlplane.Start(t, options...)
			client, err := api.New(server.Config())
			if err != nil {
				t.Fatal(err)
			}
			t.Run("a resource comes and changes", func(t *testing.T) { testLife(t, server, client, name == "streaming list") })
			t.Run("a list of many pages", func(t *testing.T) { testMany(t, server, client) })
			t.Run("a selection is left", func(t *testing.T) { testSelection(t, server, client) })
		})
	}
}

func testLife(t *testing.T, server *controlplane.ControlPlane, client *api.Client, streams bool) {
	namespace := server.Namespace(t)
	s := watch(t, client, stream.Config{Namespace: namespace})
	s.expect(t, "trouble(resource kopfexamples.v1.kopf.dev is not there yet")
	server.ApplyFile(t, "testdata/examples.yaml")
	s.expect(t, "synced")
	h := hand{t, server, client, namespace}
	for i := range 3 {
		h.create(fmt.Sprint("object-", i), "")
		h.patch(fmt.Sprint("object-", i), "", `{"spec":{"size":1}}`)
		h.patch(fmt.Sprint("object-", i), "status", `{"status":{"phase":"Done"}}`)
	}
	h.delete("object-1")
	s.expect(t, "deleted:object-1")
	want := []string{"works", "restart", "synced"}
	for _, name := range []string{"object-0", "object-1", "object-2"} {
		want = append(want, "added:"+name, "modified:"+name, "modified:"+name)
	}
	if got := s.bare()[1:]; !slices.Equal(got, append(want, "deleted:object-1")) {
		t.Errorf("got %q", got)
	}
	if got := s.Stats(); !got.Synced || got.Trouble != nil || streams && got.Watches != got.Failures+1 {
		t.Errorf("%+v", got)
	}
	again := watch(t, client, stream.Config{Metadata: true})
	again.expect(t, "synced")
	if got, want := again.bare(), []string{"restart", "listed:object-0", "listed:object-2", "synced"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func testMany(t *testing.T, server *controlplane.ControlPlane, client *api.Client) {
	server.ApplyFile(t, "testdata/examples.yaml")
	h := hand{t, server, client, server.Namespace(t)}
	const many = 1201
	var creating sync.WaitGroup
	for worker := range 8 {
		creating.Go(func() {
			for i := worker; i < many; i += 8 {
				h.create(fmt.Sprintf("object-%04d", i), "")
			}
		})
	}
	creating.Wait()
	s := watch(t, client, stream.Config{Namespace: h.namespace})
	s.expect(t, "synced")
	words := s.bare()
	if len(words) != many+2 {
		t.Fatalf("%d words", len(words))
	}
	names := words[1 : many+1]
	slices.Sort(names)
	for i, name := range names {
		if want := fmt.Sprintf("listed:object-%04d", i); name != want {
			t.Fatalf("got %s, want %s", name, want)
		}
	}
}

// testSelection shows that what leaves a selection is told as deleted, although it is there.
func testSelection(t *testing.T, server *controlplane.ControlPlane, client *api.Client) {
	server.ApplyFile(t, "testdata/examples.yaml")
	h := hand{t, server, client, server.Namespace(t)}
	h.create("in", `"labels":{"tier":"web"}`)
	h.create("out", "")
	s := watch(t, client, stream.Config{Namespace: h.namespace, Labels: "tier in (web,api)"})
	s.expect(t, "synced")
	h.patch("out", "", `{"metadata":{"labels":{"tier":"api"}}}`)
	h.patch("in", "", `{"metadata":{"labels":{"tier":"db"}}}`)
	s.expect(t, "deleted:in")
	if got, want := s.bare(), []string{"restart", "listed:in", "synced", "added:out", "deleted:in"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// watched is a stream that runs until the test ends.
type watched struct {
	*stream.Watcher
	*sink
}

func watch(t *testing.T, client *api.Client, c stream.Config) watched {
	s := &sink{}
	c.Client, c.Resource, c.Rules, c.Sink = client, examples, skim.Compile(skim.Config{}), s
	w := stream.New(c)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return watched{w, s}
}

// expect waits until the sink has been told something that begins so.
func (s watched) expect(t *testing.T, beginning string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !slices.ContainsFunc(s.said(), func(word string) bool { return strings.HasPrefix(word, beginning) }) {
		if time.Now().After(deadline) {
			t.Fatalf("%s was not said: %q", beginning, s.said())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// bare returns what was said, without versions.
func (s watched) bare() []string {
	words := s.said()
	for i := range words {
		words[i], _, _ = strings.Cut(words[i], "@")
	}
	return words
}

// hand changes objects.
type hand struct {
	t         *testing.T
	server    *controlplane.ControlPlane
	client    *api.Client
	namespace string
}

func (h hand) create(name, metadata string) {
	if metadata != "" {
		metadata = "," + metadata
	}
	body := fmt.Sprintf(`{"apiVersion":"kopf.dev/v1","kind":"KopfExample","metadata":{"name":%q%s}}`, name, metadata)
	if _, err := h.client.Post(context.Background(), examples.Path(h.namespace, "", ""), []byte(body), nil); err != nil {
		h.t.Error(err)
	}
}

func (h hand) patch(name, subresource, body string) {
	h.t.Helper()
	if _, err := h.client.Patch(context.Background(), examples.Path(h.namespace, name, subresource), types.MergePatchType, []byte(body), nil); err != nil {
		h.t.Error(err)
	}
}

// delete is what operators never do, and their client cannot.
func (h hand) delete(name string) {
	h.t.Helper()
	cfg := h.server.Config()
	client, err := rest.HTTPClientFor(cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodDelete, cfg.Host+examples.Path(h.namespace, name, ""), nil)
	if err != nil {
		h.t.Fatal(err)
	}
	answer, err := client.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		h.t.Errorf("deleting %s: %s", name, answer.Status)
	}
}
