package handling

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Random histories of an object, from its creation on, with handlers and sub-handlers that fail, with restarts, and with rounds that end
// early. Whatever happens, in the end everybody who follows changes was told of the final state, or never needed to be, and no progress
// is left. (Package progress has the model that judges each call; here everything is as it is stored.)
func TestRandomHistories(t *testing.T) {
	for seed := range uint64(400) {
		synctest.Test(t, func(t *testing.T) { history(t, rand.New(rand.NewPCG(seed, 7))) })
		if t.Failed() {
			t.Fatalf("history %d", seed)
		}
	}
}

func history(t *testing.T, random *rand.Rand) {
	o := newObject(t, `{"spec":{"x":0,"items":{"a":0,"b":0}}}`)
	quiet := false
	outcome := func() error {
		switch n := random.IntN(10); {
		case quiet, n < 5:
			return nil
		case n < 7:
			return kopf.Temporary(errors.New("not yet"), time.Duration(random.IntN(3))*time.Second)
		case n < 8:
			return kopf.Wait(time.Second)
		case n < 9:
			return errors.New("oops")
		}
		return kopf.Permanent(errors.New("no"))
	}
	// told is the last value that each was called for, and made what the creation was told of.
	told, made := map[string]string{}, ""
	note := func(_ context.Context, a *Attempt) (any, error) {
		told[a.ID] = string(a.New)
		return nil, outcome()
	}
	policy := kopf.Policy{Backoff: kopf.Backoff{From: time.Second, To: 5 * time.Second}}
	o.resource.Defaults = policy
	o.with(func(_ context.Context, a *Attempt) (any, error) {
		made = string(a.New)
		return nil, outcome()
	}, Handler{ID: "made", On: progress.Create, Policy: policy})
	o.with(note, Handler{ID: "u", On: progress.Update, Policy: policy}, Handler{ID: "fx", On: progress.Field, Field: x, Policy: policy})
	o.with(func(ctx context.Context, a *Attempt) (any, error) {
		items, err := tree.DecodeObject(a.New)
		if err != nil {
			return nil, err
		}
		var subs []kopf.Sub
		for _, id := range ids(items) {
			subs = append(subs, kopf.Sub{ID: id, Value: items[id], Run: func(context.Context) (any, error) {
				told["items/"+id] = fmt.Sprint(items[id])
				return nil, outcome()
			}})
		}
		if err := kopf.Execute(ctx, subs...); err != nil {
			return nil, err
		}
		return nil, outcome()
	}, Handler{ID: "items", On: progress.Field, Field: []string{"spec", "items"}, Policy: policy})

	o.newer = func() bool { return !quiet && random.IntN(3) == 0 }
	for range 15 {
		switch random.IntN(6) {
		case 0:
			o.set(int64(random.IntN(3)), x...)
		case 1:
			o.set(int64(random.IntN(3)), "spec", "items", []string{"a", "b"}[random.IntN(2)])
		case 2:
			o.restart()
		case 3:
			time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
		default:
			time.Sleep(time.Millisecond)
			o.round(t.Context())
		}
	}
	quiet = true
	o.settle()

	want := map[string]string{"fx": string(encode(o.state, x)), "items/a": string(encode(o.state, []string{"spec", "items", "a"})), "items/b": string(encode(o.state, []string{"spec", "items", "b"}))}
	for id, value := range want {
		if told[id] != value {
			t.Errorf("%s was told of %s, not of %s", id, told[id], value)
		}
	}
	spec := fmt.Sprintf(`{"spec":%s}`, encode(o.state, []string{"spec"}))
	if last, ok := told["u"]; ok && last != spec || !ok && made != spec {
		t.Errorf("u was told of %q and the creation of %s, not of %s", last, made, spec)
	}
	if left := o.annotations(); !slices.Equal(left, []string{"last-handled-configuration"}) {
		t.Errorf("left: %v", left)
	}
	if t.Failed() {
		t.Log(o.log.String())
	}
}
