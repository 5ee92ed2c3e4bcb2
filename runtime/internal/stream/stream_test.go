package stream_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/internal/skim"
	"github.com/kopfgen/kopfgen/runtime/internal/stream"
)

const (
	list = "restart listed:a@3 synced@10"

	absent    = "trouble(resource kopfexamples.v1.kopf.dev is not there yet and will be served when it comes: get /apis/kopf.dev/v1/kopfexamples: said the server)"
	forbidden = "trouble(forbidden: the operator needs list and watch on kopfexamples.v1.kopf.dev in all namespaces: get /apis/kopf.dev/v1/kopfexamples: said the server)"
	failing   = "trouble(resource kopfexamples.v1.kopf.dev cannot be watched: get /apis/kopf.dev/v1/kopfexamples: said the server)"
	saying    = "trouble(resource kopfexamples.v1.kopf.dev cannot be watched: said the server)"
	cutOff    = "trouble(resource kopfexamples.v1.kopf.dev cannot be watched: unexpected EOF)"
)

func TestWhatHappensToStreams(t *testing.T) {
	tests := map[string]struct {
		script   []step
		requests string // separated by commas
		words    string // separated by blanks or newlines
	}{
		"events come in order": {
			script: []step{
				then(send(event("ADDED", "a", 3), event("ADDED", "b", 2), endOfList(10), event("ADDED", "c", 11), event("MODIFIED", "a", 12), bookmark(15), event("DELETED", "b", 16)), wait(time.Minute)),
				then(send(event("MODIFIED", "c", 17)), wait(time.Minute)),
				then(send(bookmark(20)), wait(time.Minute)),
			},
			requests: "list, watch 16, watch 17",
			words:    "restart listed:a@3 listed:b@2 synced@10 added:c@11 modified:a@12 deleted:b@16 modified:c@17",
		},
		"a bookmark is where to go on": {
			script: []step{
				then(send(endOfList(10), bookmark(15)), wait(time.Minute)),
				then(send(bookmark(20)), wait(time.Minute)),
				quiet,
			},
			requests: "list, watch 15, watch 20",
			words:    "restart synced@10",
		},
		"changes within a list": {
			script: []step{
				then(send(event("ADDED", "a", 3), event("MODIFIED", "a", 11), event("DELETED", "a", 12), bookmark(13), endOfList(14)), wait(time.Minute)),
				quiet,
			},
			requests: "list, watch 14",
			words:    "restart listed:a@3 modified:a@11 deleted:a@12 synced@14",
		},
		"a list that is cut is begun again": {
			script:   []step{then(send(event("ADDED", "a", 3), event("ADDED", "b", 4)), cut), listed},
			requests: "list, list",
			words:    "restart listed:a@3 listed:b@4 " + cutOff + " " + list + " works",
		},
		"expired, as a status": {
			script:   []step{listed, fail(http.StatusGone, "Expired"), listed},
			requests: "list, watch 10, list",
			words:    list + " " + list,
		},
		"expired, within the stream": {
			script:   []step{listed, then(send(`{"type":"ERROR","object":`+status(410, "Expired", "")+`}`), wait(time.Hour)), listed},
			requests: "list, watch 10, list",
			words:    list + " " + list,
		},
		"a server behind us catches up": {
			script:   []step{listed, behind, behind, then(send(event("MODIFIED", "a", 12)), wait(time.Minute)), quiet},
			requests: "list, watch 10, watch 10, watch 10, watch 12",
			words:    list + " " + saying + " modified:a@12 works",
		},
		"a server behind us for ever": {
			script:   []step{listed, behind, behind, behind, behind, behind, then(send(event("ADDED", "a", 2), endOfList(7)), wait(time.Minute)), quiet},
			requests: "list, watch 10, watch 10, watch 10, watch 10, watch 10, list, watch 7",
			words:    list + " " + saying + " restart listed:a@2 synced@7 works",
		},
		"one cut is no trouble": {
			script:   []step{then(send(event("ADDED", "a", 3), endOfList(10), event("MODIFIED", "a", 11)), raw(`{"type":"MODIFIED","object":{"meta`), cut), then(send(event("MODIFIED", "a", 12)), wait(time.Minute))},
			requests: "list, watch 11",
			words:    list + " modified:a@11 modified:a@12",
		},
		"one cut after another is": {
			script:   []step{listed, cut, cut, cut, then(wait(time.Second), cut), then(send(bookmark(12)), wait(time.Minute))},
			requests: "list, watch 10, watch 10, watch 10, watch 10, watch 10",
			words:    list + ` trouble(resource kopfexamples.v1.kopf.dev cannot be watched: get /apis/kopf.dev/v1/kopfexamples: Get "http://memory/apis/kopf.dev/v1/kopfexamples": EOF) works ` + cutOff + " works",
		},
		"a frame that ends in the middle": {
			script:   []step{listed, then(wait(time.Minute), raw(`{"type":"MODIFIED","object":{"metadata":{"name":"a"`)), then(send(event("MODIFIED", "a", 12)), wait(time.Minute))},
			requests: "list, watch 10, watch 10",
			words:    list + " modified:a@12",
		},
		"garbage": {
			script:   []step{listed, then(send(event("MODIFIED", "a", 11), `{"type":"MODIFIED","object":{]`, event("MODIFIED", "a", 12)), wait(time.Hour)), listed, quiet},
			requests: "list, watch 10, list, watch 10",
			words:    list + " modified:a@11 trouble(resource kopfexamples.v1.kopf.dev cannot be watched: the stream is) " + list + " works",
		},
		"an error that says nothing": {
			script:   []step{listed, then(send(`{"type":"ERROR","object":{}}`), wait(time.Hour)), listed},
			requests: "list, watch 10, list",
			words:    list + " trouble(resource kopfexamples.v1.kopf.dev cannot be watched: the stream is) " + list + " works",
		},
		"objects and frames that nobody understands": {
			script: []step{
				then(send(event("ADDED", "a", 3), `{"type":"ADDED","object":{"metadata":{"name":"x","name":"y","resourceVersion":"4"}}}`, `{"type":"NEWS","object":{}}`, "", endOfList(10),
					`{"type":"MODIFIED","object":{"metadata":{"resourceVersion":"11"}}}`), wait(time.Minute)),
				quiet,
			},
			requests: "list, watch 11",
			words:    list,
		},
		"credentials expire": {
			script:   []step{listed, fail(http.StatusUnauthorized, "Unauthorized"), quiet},
			requests: "list, watch 10, watch 10",
			words:    list,
		},
		"wrong credentials": {
			script:   []step{fail(http.StatusUnauthorized, "Unauthorized"), fail(http.StatusUnauthorized, "Unauthorized"), listed},
			requests: "list, list, list",
			words:    failing + " works " + list,
		},
		"forbidden, then allowed": {
			script:   []step{fail(http.StatusForbidden, "Forbidden"), fail(http.StatusForbidden, "Forbidden"), listed},
			requests: "list, list, list",
			words:    forbidden + " works " + list,
		},
		"forbidden in the middle": {
			script:   []step{listed, fail(http.StatusForbidden, "Forbidden"), quiet},
			requests: "list, watch 10, watch 10",
			words:    list + " " + forbidden + " works",
		},
		"not there yet": {
			script:   []step{fail(http.StatusNotFound, "NotFound"), fail(http.StatusNotFound, "NotFound"), fail(http.StatusNotFound, "NotFound"), listed},
			requests: "list, list, list, list",
			words:    absent + " works " + list,
		},
		"gone and come again": {
			script:   []step{listed, fail(http.StatusNotFound, "NotFound"), fail(http.StatusNotFound, "NotFound"), listed},
			requests: "list, watch 10, list, list",
			words:    list + " " + absent + " works " + list,
		},
		"one trouble after another": {
			script:   []step{fail(http.StatusInternalServerError, "InternalError"), fail(http.StatusInternalServerError, "InternalError"), fail(http.StatusServiceUnavailable, "ServiceUnavailable"), fail(http.StatusNotFound, "NotFound"), listed},
			requests: "list, list, list, list, list",
			words:    failing + " " + failing + " " + absent + " works " + list,
		},
		"streaming lists are not served (400)": {
			script: []step{
				fail(http.StatusBadRequest, "BadRequest"),
				raw(`{"metadata":{"resourceVersion":"10"},"items":[` + object("a", 3) + `]}`),
				quiet,
			},
			requests: "list, page 500, watch 10",
			words:    list,
		},
		"streaming lists are not served (422)": {
			script: []step{
				fail(http.StatusUnprocessableEntity, "Invalid"),
				raw(`{"metadata":{"resourceVersion":"10","continue":"more"},"items":[` + object("a", 3) + `]}`),
				raw(`{"metadata":{"resourceVersion":"10"},"items":[` + object("b", 4) + `, {"metadata":1}, ` + object("c", 5) + `]}`),
				then(send(event("ADDED", "d", 11)), wait(time.Minute)),
				fail(http.StatusGone, "Expired"),
				raw(`{"metadata":{"resourceVersion":"20"},"items":null}`),
				quiet,
			},
			requests: "list, page 500, page 500 more, watch 10, watch 11, page 500, watch 20",
			words:    "restart listed:a@3 listed:b@4 listed:c@5 synced@10 added:d@11 restart synced@20",
		},
		"streaming lists are not known": {
			script: []step{
				then(send(event("ADDED", "a", 3)), wait(time.Hour)),
				raw(`{"metadata":{"resourceVersion":"10"},"items":[` + object("a", 3) + `]}`),
				quiet,
			},
			requests: "list, page 500, watch 10",
			words:    "restart listed:a@3 " + list,
		},
		"a paged list expires": {
			script: []step{
				fail(http.StatusUnprocessableEntity, "Invalid"),
				raw(`{"metadata":{"resourceVersion":"9","continue":"more"},"items":[` + object("a", 3) + `,` + object("b", 4) + `]}`),
				fail(http.StatusGone, "Expired"),
				raw(`{"metadata":{"resourceVersion":"10"},"items":[` + object("a", 3) + `]}`),
				quiet,
			},
			requests: "list, page 500, page 500 more, page 500, watch 10",
			words:    "restart listed:a@3 listed:b@4 " + failing + " " + list + " works",
		},
		"a paged list is cut, garbled, no list": {
			script: []step{
				fail(http.StatusUnprocessableEntity, "Invalid"),
				then(raw(`{"metadata":{"resourceVersion":"9"},"items":[`+object("a", 3)), cut),
				raw(`{"metadata":{"resourceVersion":"9"},"items":[` + object("a", 3) + `}`),
				raw(`{"kind":"Table"}`),
				raw(`{"metadata":{"resourceVersion":"10"},"items":[` + object("a", 3) + `]}`),
			},
			requests: "list, page 500, page 500, page 500, page 500",
			words: "trouble(resource kopfexamples.v1.kopf.dev cannot be watched: reading a list: unexpected EOF)" +
				" restart listed:a@3 trouble(resource kopfexamples.v1.kopf.dev cannot be watched: the stream is) restart " + list + " works",
		},
		"selectors that the server does not know": {
			script:   []step{fail(http.StatusBadRequest, "BadRequest"), fail(http.StatusBadRequest, "BadRequest"), fail(http.StatusBadRequest, "BadRequest")},
			requests: "list, page 500, page 500",
			words:    failing,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := play(t, nil, tt.script...)
				if diff := cmp.Diff(tt.requests, strings.Join(x.requests, ", ")); diff != "" {
					t.Errorf("requests (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(strings.Fields(tt.words), words(x.words)); diff != "" {
					t.Errorf("calls of the sink (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// words splits calls as the tables do.
func words(said []string) []string { return strings.Fields(strings.Join(said, " ")) }

func behind(w http.ResponseWriter, r *http.Request) {
	then(send(`{"type":"ERROR","object":`+status(504, "Timeout", `"causes":[{"reason":"ResourceVersionTooLarge","message":"too large"}],"retryAfterSeconds":1`)+`}`), wait(time.Hour))(w, r)
}

func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, nil,
			then(send(endOfList(10)), wait(60*time.Second), send(bookmark(11)), wait(69*time.Second), send(bookmark(12)), wait(time.Hour)),
			then(wait(time.Second), send(bookmark(12)), wait(time.Hour)),
			func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, // does not even answer
			func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
			quiet,
		)
		if diff := cmp.Diff([]string{"list", "watch 12", "watch 12", "watch 12", "watch 12"}, x.requests); diff != "" {
			t.Error(diff)
		}
		silence := stream.DefaultSilence
		if x.times[1] != 129*time.Second+silence || x.times[2] != x.times[1]+time.Second+silence {
			t.Errorf("a silent watch was not renewed in time: %v", x.times)
		}
		want := words([]string{"restart synced@10 trouble(resource kopfexamples.v1.kopf.dev cannot be watched: get /apis/kopf.dev/v1/kopfexamples: no answer within 1m10s) works"})
		if diff := cmp.Diff(want, words(x.words)); diff != "" {
			t.Error(diff)
		}
	})
}

// A watch from a version that the server has yet to reach is accepted, and nothing ever comes of it; so the list is read again.
func TestMuteWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, nil,
			then(send(endOfList(100)), wait(60*time.Second), cut),
			wait(time.Hour),
			then(send(endOfList(10)), wait(time.Hour)),
			quiet,
		)
		if diff := cmp.Diff([]string{"list", "watch 100", "list", "watch 10"}, x.requests); diff != "" {
			t.Error(diff)
		}
	})
}

func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := []step{}
		for range 12 {
			script = append(script, fail(http.StatusInternalServerError, "InternalError"))
		}
		long := then(send(endOfList(10), bookmark(11)), wait(time.Minute), send(bookmark(12)), wait(time.Minute), send(bookmark(13)), wait(time.Minute), cut)
		script = append(script, long, quiet)
		x := play(t, nil, script...)
		least := 800 * time.Millisecond
		for i := 1; i <= 12; i++ {
			waited := x.times[i] - x.times[i-1]
			if waited < min(least, 30*time.Second) || waited > min(2*least, 30*time.Second) {
				t.Errorf("wait %d is %s, want %s to %s", i, waited, least, 2*least)
			}
			least *= 2
		}
		if waited := x.times[13] - x.times[12] - 3*time.Minute; waited > 2*800*time.Millisecond {
			t.Errorf("after a long time of health, the stream waited %s", waited)
		}
	})
}

func TestServersMayAskForTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "17")
			http.Error(w, "Too many requests, please try again later.", http.StatusTooManyRequests)
		}
		x := play(t, nil, listed, busy, busy, quiet)
		for i := 2; i <= 3; i++ {
			if waited := x.times[i] - x.times[i-1]; waited != 17*time.Second {
				t.Errorf("waited %s", waited)
			}
		}
		if len(x.words) != 5 || !strings.Contains(x.words[3], "too many requests") || x.words[4] != "works" {
			t.Errorf("%q", x.words)
		}
	})
}

func TestAbsentResourcesAreFoundSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := []step{}
		for range 20 {
			script = append(script, fail(http.StatusNotFound, "NotFound"))
		}
		x := play(t, nil, append(script, listed)...)
		if waited := x.times[20] - x.times[19]; waited > 5*time.Second {
			t.Errorf("waited %s", waited)
		}
	})
}

func TestWatchesThatEndAtOnceDoNotSpin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := []step{listed}
		for range 10 {
			script = append(script, send(bookmark(12)))
		}
		x := play(t, nil, script...)
		if took := x.times[10] - x.times[1]; took < time.Minute {
			t.Errorf("10 watches in %s", took)
		}
	})
}

func TestRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var urls, accepted []string
		note := func(next step) step {
			return func(w http.ResponseWriter, r *http.Request) {
				q := r.URL.Query()
				if seconds := q.Get("timeoutSeconds"); q.Has("watch") && (len(seconds) != 3 || seconds < "300" || seconds > "600") {
					t.Errorf("timeoutSeconds=%s", seconds)
				}
				q.Del("timeoutSeconds")
				urls = append(urls, r.URL.Path+"?"+q.Encode())
				accepted = append(accepted, r.Header.Get("Accept"))
				next(w, r)
			}
		}
		play(t, func(c *stream.Config) {
			c.Namespace, c.Labels, c.Fields, c.Metadata = "ns", "app in (a,b)", "metadata.name=x", true
		},
			note(listed), note(fail(http.StatusGone, "Expired")), note(fail(http.StatusBadRequest, "")), note(raw(`{"metadata":{"resourceVersion":"5"},"items":[]}`)))
		const path, selectors = "/apis/kopf.dev/v1/namespaces/ns/kopfexamples?", "fieldSelector=metadata.name%3Dx&labelSelector=app+in+%28a%2Cb%29&"
		want := []string{
			path + "allowWatchBookmarks=true&" + selectors + "resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true",
			path + "allowWatchBookmarks=true&" + selectors + "resourceVersion=10&watch=true",
			path + "allowWatchBookmarks=true&" + selectors + "resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true",
			path + selectors + "limit=500",
		}
		if diff := cmp.Diff(want, urls); diff != "" {
			t.Error(diff)
		}
		if accepted[0] != "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" || accepted[3] != "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" {
			t.Errorf("accepted: %q", accepted)
		}
	})
}

func TestGiantFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		giant := fmt.Sprintf(`{"type":"ADDED","object":{"metadata":{"name":"giant","resourceVersion":"4"},"spec":{"text":%q}}}`, strings.Repeat("x", 3<<20))
		sizes := map[string]int{}
		x := play(t, func(c *stream.Config) {
			c.Sink.(*sink).on = func(ev stream.Event) { sizes[string(ev.Object.Name)] = len(ev.Object.Raw) }
		},
			then(send(giant, event("ADDED", "a", 3), endOfList(10)), wait(time.Minute)), quiet)
		if diff := cmp.Diff(strings.Fields("restart listed:giant@4 listed:a@3 synced@10"), x.words); diff != "" {
			t.Error(diff)
		}
		if sizes["giant"] < 3<<20 || sizes["a"] != len(object("a", 3)) {
			t.Errorf("sizes: %v", sizes)
		}
	})
}

func TestPagesShrink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		large := strings.Repeat(" ", 17<<20)
		page := func(more string) step {
			return raw(`{"metadata":{"resourceVersion":"9","continue":"` + more + `"},"items":[]}` + large)
		}
		x := play(t, nil, fail(http.StatusBadRequest, ""), page("b"), page("c"), page(""), quiet)
		if diff := cmp.Diff([]string{"list", "page 500", "page 250 b", "page 125 c", "watch 9"}, x.requests); diff != "" {
			t.Error(diff)
		}
	})
}

// A sink that takes its time must neither be taken for a silent server, nor lose anything.
func TestBusySinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(c *stream.Config) {
			c.Sink.(*sink).on = func(stream.Event) { time.Sleep(5 * time.Minute) }
		},
			then(send(event("ADDED", "a", 3), event("ADDED", "b", 4), endOfList(10), event("MODIFIED", "a", 11)), wait(16*time.Minute)), quiet)
		if diff := cmp.Diff([]string{"list", "watch 11"}, x.requests); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(strings.Fields("restart listed:a@3 listed:b@4 synced@10 modified:a@11"), x.words); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSinksMayDistrustLists(t *testing.T) {
	old := func(w http.ResponseWriter, r *http.Request) {
		then(send(event("ADDED", "a", 2), endOfList(7)), wait(time.Hour))(w, r)
	}
	oldPage := raw(`{"metadata":{"resourceVersion":"7"},"items":[` + object("a", 2) + `]}`)
	for name, tt := range map[string]struct {
		script   []step
		requests []string
	}{
		"streaming list": {[]step{old, listed, quiet}, []string{"list", "list", "watch 10"}},
		"paged list": {
			[]step{fail(http.StatusBadRequest, ""), oldPage, raw(`{"metadata":{"resourceVersion":"10"},"items":[` + object("a", 3) + `]}`), quiet},
			[]string{"list", "page 500", "page 500", "watch 10"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := play(t, func(c *stream.Config) { c.Sink.(*sink).distrusts = []string{"7"} }, tt.script...)
				if diff := cmp.Diff(tt.requests, x.requests); diff != "" {
					t.Error(diff)
				}
				const older = "trouble(resource kopfexamples.v1.kopf.dev cannot be watched: the list is older than what was seen before)"
				if diff := cmp.Diff(strings.Fields("restart listed:a@2 synced@7 "+older+" "+list+" works"), words(x.words)); diff != "" {
					t.Error(diff)
				}
				if !x.stats.Synced || x.stats.Trouble != nil {
					t.Errorf("%+v", x.stats)
				}
			})
		})
	}
}

func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if s := stream.New(stream.Config{Rules: skim.Compile(skim.Config{})}).Stats(); s != (stream.Stats{}) {
			t.Errorf("before the first request: %+v", s)
		}
		start := time.Now()
		x := play(t, nil,
			then(send(event("ADDED", "a", 3), `{"type":"ADDED","object":{}}`, endOfList(10)), wait(30*time.Second), send(bookmark(11)), wait(time.Minute)),
			fail(http.StatusForbidden, "Forbidden"))
		got := x.stats
		if got.Trouble == nil || !strings.HasPrefix(got.Trouble.Error(), "forbidden") {
			t.Errorf("trouble: %v", got.Trouble)
		}
		got.Trouble = nil
		// The last request of a script is one that it does not answer any more.
		want := stream.Stats{Synced: true, LastHeard: start.Add(30 * time.Second), Lists: 1, Watches: 3, Events: 1, Bookmarks: 2, Refused: 1, Failures: 1}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
