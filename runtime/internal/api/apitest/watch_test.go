package apitest_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
)

var rooms = api.Resource{Group: "test.kopf.dev", Version: "v1", Plural: "rooms", Kind: "Room", Namespaced: true}

// Bookmarks come by the clock, also while events are held back; then they do not tell of what is yet to come.
func TestBookmarksAndLateEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := apitest.NewServer(rooms)
		server.Bookmarks = time.Minute
		server.Late = func() time.Duration { return 150 * time.Second }
		client := apitest.Serve(t, server)
		began := time.Now()
		body, err := client.Stream(t.Context(), rooms.Path("", "", ""), url.Values{
			"watch": {"true"}, "allowWatchBookmarks": {"true"}, "resourceVersion": {"100"}, "timeoutSeconds": {"200"},
		}, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = body.Close() }()
		if _, err := server.Do(http.MethodPost, rooms.Path("ns", "", ""), "", []byte(`{"metadata":{"name":"a"},"spec":{"size":1}}`)); err != nil {
			t.Fatal(err)
		}
		type frame struct {
			At, Type, Kind, Version string
			Spec                    any
		}
		var got []frame
		for lines := bufio.NewScanner(body); lines.Scan(); {
			var event struct {
				Type   string
				Object struct {
					Kind     string
					Metadata struct{ ResourceVersion string }
					Spec     any
				}
			}
			if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
				t.Fatal(err)
			}
			got = append(got, frame{time.Since(began).String(), event.Type, event.Object.Kind, event.Object.Metadata.ResourceVersion, event.Object.Spec})
		}
		want := []frame{
			{"1m0s", "BOOKMARK", "Room", "100", nil},
			{"2m0s", "BOOKMARK", "Room", "100", nil},
			{"2m30s", "ADDED", "PartialObjectMetadata", "101", nil},
			{"3m0s", "BOOKMARK", "Room", "101", nil},
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		if over := time.Since(began); over != 200*time.Second {
			t.Errorf("the watch ended after %v", over)
		}
	})
}
