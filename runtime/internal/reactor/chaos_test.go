package reactor

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

var (
	chaosSeed  = flag.Uint64("chaos.seed", 0, "the only history of TestChaos to live")
	chaosSeeds = flag.Uint64("chaos.seeds", 150, "how many histories TestChaos lives")
)

// TestChaos lives random histories of some objects: people create, change and delete them, handlers fail and take their time, answers are
// late or lost, events are late or come twice, streams break, lists come in between, processes are killed and stopped. When all is quiet,
// every last state was handled, what was recorded as succeeded was not called again, nothing is written any more, and nothing is left.
func TestChaos(t *testing.T) {
	if *chaosSeed != 0 {
		inBubble(t, func(t *testing.T) { newChaos(t, *chaosSeed).live() })
		return
	}
	for seed := uint64(1); seed <= *chaosSeeds; seed++ {
		inBubble(t, func(t *testing.T) { newChaos(t, seed).live() })
		if t.Failed() {
			t.Fatalf("the seed is %d: go test -run TestChaos -chaos.seed=%d", seed, seed)
		}
	}
}

type chaos struct {
	*world
	random  *dice
	names   []string
	quiet   bool
	feeder  chan struct{} // closed to end the stream of the present process
	fed     sync.WaitGroup
	settled chan struct{} // closed when all is to be quiet
	// restarts tells that processes end. Then no value is set again: a change that is taken back before an attempt is recorded, and the
	// process ends, is forgotten, and nothing short of a write before each first attempt could help.
	restarts bool
	values   int
	// told is what each handler was called for last, by uid and id.
	told map[string]string
}

// dice are random numbers for several goroutines.
type dice struct {
	mu sync.Mutex
	r  *rand.Rand
}

func (d *dice) n(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.IntN(n)
}

// in tells whether something happens that does so once in n times.
func (d *dice) in(n int) bool { return d.n(n) == 0 }

func newChaos(t *testing.T, seed uint64) *chaos {
	c := &chaos{
		random: &dice{r: rand.New(rand.NewPCG(seed, 42))}, names: []string{"a", "b", "c"},
		told: map[string]string{}, settled: make(chan struct{}),
	}
	policy := kopf.Policy{Backoff: kopf.Backoff{From: time.Second, To: 5 * time.Second}}
	handler := func(id string, kind progress.Kind, field ...string) handling.Handler {
		return handling.Handler{ID: id, On: kind, Field: field, Policy: policy, Result: id, Run: c.run}
	}
	c.world = newWorld(t)
	c.late = true
	c.handlers.Handlers = []handling.Handler{
		handler("create", progress.Create), handler("update", progress.Update), handler("x", progress.Field, "spec", "x"),
		handler("resume", progress.Resume), handler("one", progress.Delete), handler("two", progress.Delete),
	}
	if c.random.in(3) {
		c.kept = 1500 // for one or two objects
	}
	c.server.Unordered = c.random.in(4)
	c.restarts = c.random.in(2)
	c.before = c.trouble
	c.after = c.trouble
	return c
}

// trouble is what befalls requests and answers.
func (c *chaos) trouble(int, string) error {
	c.pause(20)
	switch {
	case c.isQuiet():
		return nil
	case c.random.in(10):
		return errLost
	case c.random.in(20):
		return apierrors.NewInternalError(errors.New("etcd"))
	case c.random.in(40):
		return apierrors.NewNotFound(schema.GroupResource{Resource: "widgets"}, "?") // the definition is being replaced, say
	}
	return nil
}

// run is every handler.
func (c *chaos) run(ctx ctx, a *handling.Attempt) handling.Outcome {
	if err := c.record(a); err != "" {
		c.t.Error(err)
	}
	c.pause(3000)
	out := handling.Outcome{Err: c.outcome()}
	if ctx.Err() != nil {
		out.Err = ctx.Err()
	}
	if out.Err == nil && c.random.in(2) {
		out.Result = kopf.Raw(fmt.Sprint(c.random.n(3)))
	}
	return out
}

// record notes a call, and tells what is wrong with it: the object says already that the handler has succeeded for this state.
func (c *chaos) record(a *handling.Attempt) (wrong string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := a.UID + " " + a.ID
	call := fmt.Sprintf("%s %s of %s for %s", a.Reason, key, a.Name, a.New)
	c.calls = append(c.calls, call)
	c.told[key] = string(a.New)
	object := c.server.Object(path(a.Name, ""))
	if object == nil || tree.String(object, "metadata", "uid") != a.UID {
		return ""
	}
	if _, handled, _ := (storage.Storage{}).Base(object); handled && a.Reason == kopf.ReasonCreate {
		return "created again: " + call
	}
	records, _ := storage.Storage{}.Fetch(object, []string{a.ID})
	looked, err := tree.Decode(a.New)
	if own := records[a.ID]; own != nil && own.Success && own.Purpose == a.Reason && err == nil && own.Seen == essence.Digest(looked) {
		return "called again: " + call
	}
	return ""
}

func (c *chaos) outcome() error {
	if c.isQuiet() {
		return nil
	}
	switch c.random.n(10) {
	case 0, 1:
		return kopf.Temporary(errNotYet, time.Duration(c.random.n(3))*time.Second)
	case 2:
		return kopf.Wait(time.Second)
	case 3:
		return errNotYet
	}
	return nil
}

func (c *chaos) isQuiet() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.quiet
}

// pause is a time of at most so many milliseconds, often none.
func (c *chaos) pause(most int) {
	if c.random.in(2) {
		time.Sleep(time.Duration(c.random.n(most)) * time.Millisecond)
	}
}

// begin starts a process with its stream.
func (c *chaos) begin() {
	c.start()
	c.feeder = make(chan struct{})
	over := c.feeder
	c.fed.Go(func() { c.feed(over) })
}

// end ends the stream and the process, in order or not.
func (c *chaos) end() {
	close(c.feeder)
	c.fed.Wait()
	if c.random.in(2) {
		c.kill()
	} else {
		c.stop()
	}
}

// feed is a stream: events come in order, late, some of them again, and sometimes it breaks and begins with a list.
func (c *chaos) feed(over chan struct{}) {
	cursor, settled := c.cursor, c.settled
	for {
		events, changed, _ := c.server.Since(&cursor)
		for i, e := range events {
			c.pause(30)
			c.event(e.Type, e.Object())
			if !c.isQuiet() && c.random.in(5) && !c.server.Unordered {
				again := events[max(0, i-c.random.n(3)) : i+1]
				if !slices.ContainsFunc(again, func(e apitest.Event) bool { return e.Type == apitest.Deleted }) {
					c.event(again[0].Type, again[0].Object())
				}
			}
		}
		if !c.isQuiet() && c.random.in(20) {
			c.list()
			cursor = c.cursor
		}
		select {
		case <-changed:
		case <-settled:
			c.list()
			cursor, settled = c.cursor, nil
		case <-over:
			return
		}
	}
}

// value is one for a field.
func (c *chaos) value() int {
	if c.values++; c.restarts {
		return c.values
	}
	return c.random.n(3)
}

// people do something to one of the objects.
func (c *chaos) people() {
	name := c.names[c.random.n(len(c.names))]
	do := func(method, subresource, doc string) {
		if method == "POST" {
			_, _ = c.server.Do(method, path("", ""), "", []byte(doc))
			return
		}
		_, _ = c.server.Do(method, path(name, subresource), "application/merge-patch+json", []byte(doc))
	}
	switch c.random.n(8) {
	case 0, 1:
		do("POST", "", fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"x":%d,"y":%d}}`, name, c.value(), c.value()))
	case 2, 3:
		do("PATCH", "", fmt.Sprintf(`{"spec":{"x":%d}}`, c.value()))
	case 4:
		do("PATCH", "", fmt.Sprintf(`{"spec":{"y":%d}}`, c.value()))
	case 5:
		do("PATCH", "status", fmt.Sprintf(`{"status":{"n":%d}}`, c.random.n(100)))
	case 6:
		do("PATCH", "", `{"metadata":{"annotations":{"example.com/a":"b"}}}`)
	default:
		do("DELETE", "", "")
	}
}

func (c *chaos) live() {
	c.begin()
	for range 30 {
		c.people()
		c.pause(4000)
		if c.restarts && c.random.in(10) {
			c.end()
			c.pause(1000)
			c.people()
			c.begin()
		}
	}
	c.mu.Lock()
	c.quiet = true
	c.mu.Unlock()
	close(c.settled)
	time.Sleep(time.Hour)
	c.atRest()
	c.check()
	// Nothing changes, so nothing is written: not by this process, nor by the next one, but for results of resuming.
	c.requested()
	time.Sleep(time.Hour)
	if requests := c.requested(); len(requests) > 0 {
		c.t.Errorf("it does not come to rest: %q", requests)
	}
	for _, name := range c.names {
		_, _ = c.server.Do("DELETE", path(name, ""), "", nil)
	}
	time.Sleep(time.Hour)
	c.atRest()
	if known, _ := c.reactor.Known(); known != 0 {
		c.t.Errorf("%d objects are remembered", known)
	}
	for _, name := range c.names {
		if object := c.server.Object(path(name, "")); object != nil {
			c.t.Errorf("not released: %s", encoded(object))
		}
	}
	close(c.feeder)
	c.fed.Wait()
	c.stop()
	synctest.Wait()
}

// check looks at what is left of each object.
func (c *chaos) check() {
	for _, name := range c.names {
		object := c.server.Object(path(name, ""))
		if object == nil {
			continue
		}
		uid := tree.String(object, "metadata", "uid")
		if keys := slices.Sorted(maps.Keys(tree.Object(object, "metadata", "annotations"))); !slices.Equal(
			slices.DeleteFunc(keys, func(k string) bool { return !strings.HasPrefix(k, prefix) }), []string{prefix + "/last-handled-configuration"}) {
			c.t.Errorf("annotations of %s: %q", name, keys)
		}
		base, _, _ := storage.Storage{}.Base(object)
		if !tree.Equal(base["spec"], object["spec"]) {
			c.t.Errorf("%s is %s, and %s is what was handled last", name, encoded(object["spec"]), encoded(base["spec"]))
		}
		x, _ := tree.Get(object, "spec", "x")
		if told, ok := c.told[uid+" x"]; ok && told != string(encoded(x)) {
			c.t.Errorf("%s has x=%v, and its handler was told of %s last", name, x, told)
		}
		now := string(encoded(essence.Rules{}.Build(object)))
		if told, ok := c.told[uid+" update"]; ok && told != now || !ok && c.told[uid+" create"] != now {
			c.t.Errorf("%s is %s, and its handlers were told of %s and %s last", name, now, c.told[uid+" create"], told)
		}
	}
}
