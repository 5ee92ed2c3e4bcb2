package stream_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/stream"
)

// counter is a sink that ends the stream when the list is complete.
type counter struct {
	events int
	enough context.CancelFunc
}

func (c *counter) Restart()             {}
func (c *counter) Deliver(stream.Event) { c.events++ }
func (c *counter) Synced(string) bool {
	c.enough()
	return true
}
func (c *counter) Trouble(error) {}

// TestListsTakeLittleMemory reads 66 MB in 20,000 objects. What is allocated on the way, by client and server together, must be much less:
// nothing per object, and the text of a page at most.
func TestListsTakeLittleMemory(t *testing.T) {
	const objects, pageOf = 20_000, 500
	one := fmt.Sprintf(`{"metadata":{"name":"some-pod","uid":"0cd9a9a1-4c0d-4b65-9a31-93ee3b9b4a3c","resourceVersion":"5"},"spec":{"text":%q}}`, strings.Repeat("x", 3200))
	frame := []byte(`{"type":"ADDED","object":` + one + "}\n")
	page := strings.Repeat(","+one, pageOf)[1:]
	pages := map[bool][]byte{
		true:  []byte(`{"metadata":{"resourceVersion":"9"},"items":[` + page + `]}`),
		false: []byte(`{"metadata":{"resourceVersion":"9","continue":"more"},"items":[` + page + `]}`),
	}
	for name, tt := range map[string]struct {
		streams bool
		limit   uint64
	}{
		"streaming list": {true, 4 << 20},
		"paged list":     {false, 16 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			served := 0
			client := apitest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Query().Has("watch") && !tt.streams:
					fail(http.StatusBadRequest, "BadRequest")(w, r)
				case tt.streams:
					for range objects {
						_, _ = w.Write(frame)
					}
					send(endOfList(9))(w, r)
					<-r.Context().Done()
				default:
					served++
					_, _ = w.Write(pages[served == objects/pageOf])
				}
			}))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			sink := &counter{enough: cancel}
			w := stream.New(stream.Config{Client: client, Resource: examples, Rules: skim.Compile(skim.Config{}), Sink: sink})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			w.Run(ctx)
			runtime.ReadMemStats(&after)
			if sink.events != objects {
				t.Errorf("%d events", sink.events)
			}
			allocated := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d bytes were allocated", allocated)
			if allocated > tt.limit {
				t.Errorf("that is more than %d", tt.limit)
			}
		})
	}
}
