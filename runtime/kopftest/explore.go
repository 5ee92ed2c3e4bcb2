package kopftest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kopfgen/kopfgen/runtime/operator"
)

// patience is how long, in virtual time, a scenario waits for what it expects, and an operator may take to come to rest.
const patience = time.Hour

// Exploration says how an operator is explored. The zero value is what [Explore] takes.
type Exploration struct {
	Options
	// Seeds is how many histories with several disturbances at random places are lived, after those with one; 40 if zero.
	Seeds int
	// Seed, if not zero, is the only one: a failure names it.
	Seed uint64
}

// Explore plays a scenario again and again, each time with an operator and a server of its own, and disturbs it at every place there is:
// the process is killed before and after each of its writes; each write conflicts, fails, loses its answer, or finds that somebody else has
// written meanwhile; a second copy of the operator begins to run; each event comes late, twice, or not at all because its watch breaks, with
// the past forgotten or not. Then there are histories with several disturbances at random.
//
// The scenario says what people do: it creates, changes and deletes objects, lets time pass, and may expect states, for which it waits.
// After it, undisturbed, the operator has an hour of virtual time to come to rest. Then
//
//   - every object that was to be handled has been handled as it is, and nothing is in progress;
//   - no handler was called for what its record said was done;
//   - nothing is written while nothing changes, by this process or by the next one;
//   - finalizers of others are where they were left, and the operator's own goes when its object is deleted;
//   - no goroutine of the operator is left after its end.
//
// The first history that breaks this fails the test, with the fewest disturbances that are enough and the timeline. A seed gives the same
// disturbances again; the order of what happens at one moment of virtual time is up to the Go scheduler. Call it outside of synctest.Test,
// which it calls for each history.
func Explore(t *testing.T, definition func() operator.Definition, scenario func(t testing.TB, s *Stage)) {
	t.Helper()
	Exploration{}.Explore(t, definition, scenario)
}

// Explore is like the function Explore.
func (e Exploration) Explore(t *testing.T, definition func() operator.Definition, scenario func(t testing.TB, s *Stage)) {
	t.Helper()
	live := func(disturbances ...disturbance) *history {
		return e.live(t, definition, scenario, disturbances)
	}
	if e.Seed != 0 {
		first := live()
		e.judge(t, live, live(first.random(e.Seed)...), fmt.Sprintf("seed %d", e.Seed))
		return
	}
	undisturbed := live()
	if !e.judge(t, live, undisturbed, "without disturbances") {
		return
	}
	for _, d := range undisturbed.places() {
		if !e.judge(t, live, live(d), "one disturbance") {
			return
		}
	}
	seeds := e.Seeds
	if seeds == 0 {
		seeds = 40
	}
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		if !e.judge(t, live, live(undisturbed.random(seed)...), fmt.Sprintf("seed %d", seed)) {
			return
		}
	}
}

// judge fails the test if a history went wrong, with the shortest one like it, and tells whether it went well.
func (e Exploration) judge(t *testing.T, live func(...disturbance) *history, h *history, what string) bool {
	t.Helper()
	if len(h.wrong) == 0 {
		return true
	}
	h = shrink(h, live)
	text := "none"
	if len(h.disturbances) > 0 {
		parts := make([]string, len(h.disturbances))
		for i, d := range h.disturbances {
			parts[i] = d.String()
		}
		text = strings.Join(parts, "; ")
	}
	t.Errorf("%s: %s\ndisturbances that are enough: %s\nwhat happened:\n%s", what, strings.Join(h.wrong, "\n"), text, h.timeline)
	return false
}

// shrink leaves out one disturbance after the other while the history still goes wrong.
func shrink(h *history, live func(...disturbance) *history) *history {
	for i := 0; i < len(h.disturbances) && len(h.disturbances) > 1; {
		if shorter := live(slices.Delete(slices.Clone(h.disturbances), i, i+1)...); len(shorter.wrong) > 0 {
			h = shorter
		} else {
			i++
		}
	}
	return h
}

// places are all disturbances of a history that had none.
func (h *history) places() []disturbance {
	var all []disturbance
	for n := 1; n <= h.writes; n++ {
		for kind := range writeKinds {
			all = append(all, disturbance{kind, n})
		}
	}
	for n := 1; n <= h.events; n++ {
		for kind := writeKinds; kind < kinds; kind++ {
			all = append(all, disturbance{kind, n})
		}
	}
	return all
}

// random returns two to five disturbances.
func (h *history) random(seed uint64) []disturbance {
	r := rand.New(rand.NewPCG(seed, 20))
	all := h.places()
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(2+r.IntN(4), len(all))]
}

// live lives one history.
func (e Exploration) live(t *testing.T, definition func() operator.Definition, scenario func(testing.TB, *Stage), ds []disturbance) (h *history) {
	h = newHistory(ds)
	defer func() {
		if p := recover(); p != nil { // of a bubble that cannot go on
			h.fail("%v", p)
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{TB: t, history: h}
		var stage *Stage
		r.run(func() {
			stage = e.stage(r, h, []func() operator.Definition{definition})
			scenario(r, stage)
			h.rest(stage)
		})
		synctest.Wait()
		if left := leftovers(); left != "" {
			h.fail("goroutines are left:\n%s", left)
		}
		if stage != nil {
			h.timeline = stage.Timeline()
		}
	})
	return h
}

// leftovers returns the stacks of the goroutines of the runtime in this bubble.
func leftovers() string {
	buffer := make([]byte, 1<<20)
	all := strings.Split(string(buffer[:runtime.Stack(buffer, true)]), "\n\n")
	_, bubble, _ := strings.Cut(all[0][:strings.Index(all[0], "\n")], "synctest bubble ")
	var left []string
	for _, stack := range all[1:] {
		header, rest, _ := strings.Cut(stack, "\n")
		if strings.HasSuffix(header, "synctest bubble "+bubble) && strings.Contains(rest, "kopfgen/runtime/") &&
			!strings.Contains(rest, "kopfgen/runtime/kopftest.") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}
