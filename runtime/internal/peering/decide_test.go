package peering

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 12, 1, 13, 50, 27, 308_763_000, time.UTC)

// peer returns a record that was written some time ago.
func peer(identity string, priority int, ago time.Duration) Peer {
	return Peer{Identity: identity, Priority: priority, Lifetime: time.Minute, LastSeen: now.Add(-ago)}
}

func TestDecide(t *testing.T) {
	own := Own{Identity: "me", Priority: 10, Lifetime: time.Minute}
	const s = time.Second
	for name, c := range map[string]struct {
		peers    []Peer
		seen     map[string]Sighting
		blockers string
		equal    bool
		until    time.Duration // from now on
		dead     string
		skewed   map[string]time.Duration
		own      bool
	}{
		"nobody":                    {},
		"ourselves":                 {peers: []Peer{peer("me", 99, 0)}, own: true},
		"our own stale record":      {peers: []Peer{peer("me", 99, 99*s)}, own: true},
		"a lower priority":          {peers: []Peer{peer("a", 9, 0)}},
		"a higher priority":         {peers: []Peer{peer("a", 11, 20*s)}, blockers: "a", until: 40 * s},
		"the same priority":         {peers: []Peer{peer("a", 10, 0)}, blockers: "a", equal: true, until: 60 * s},
		"same and higher":           {peers: []Peer{peer("a", 10, 0), peer("b", 11, 0)}, blockers: "b", until: 60 * s},
		"several that are higher":   {peers: []Peer{peer("b", 12, 30*s), peer("a", 11, 20*s)}, blockers: "a b", until: 30 * s},
		"a dead one":                {peers: []Peer{peer("a", 11, 60*s)}, dead: "a"},
		"one that is nearly dead":   {peers: []Peer{peer("a", 11, 59*s)}, blockers: "a", until: s},
		"a dead one that is lower":  {peers: []Peer{peer("a", 1, 61*s), peer("b", 1, 59*s)}, dead: "a"},
		"no time at all":            {peers: []Peer{{Identity: "a", Priority: 11, Lifetime: time.Minute}}, blockers: "a", until: 60 * s},
		"no time for a minute":      {peers: []Peer{{Identity: "a", Priority: 11, Lifetime: time.Minute}}, seen: map[string]Sighting{"a": {At: now.Add(-60 * s)}}, dead: "a"},
		"a record that was removed": {seen: map[string]Sighting{"a": {Stamp: now, At: now}}},
		"a lifetime of zero":        {peers: []Peer{{Identity: "a", Priority: 11, LastSeen: now}}, dead: "a"},
		"a clock that is ahead": {
			peers: []Peer{peer("a", 11, -time.Hour)}, blockers: "a", until: 60 * s, skewed: map[string]time.Duration{"a": time.Hour},
		},
		"a clock that is ahead, and then silence": {
			peers: []Peer{peer("a", 11, -time.Hour)}, seen: map[string]Sighting{"a": {Stamp: now.Add(time.Hour), At: now.Add(-61 * s)}},
			dead: "a", skewed: map[string]time.Duration{"a": time.Hour + 61*s},
		},
		"a clock that is behind, seen alive": {
			peers: []Peer{peer("a", 11, time.Hour)}, seen: map[string]Sighting{"a": {Stamp: now.Add(-time.Hour - 50*s), At: now.Add(-50 * s)}},
			blockers: "a", until: 60 * s, skewed: map[string]time.Duration{"a": -time.Hour},
		},
		"events that come a little late": {
			peers: []Peer{peer("a", 11, 9*s)}, seen: map[string]Sighting{"a": {Stamp: now.Add(-59 * s), At: now.Add(-59 * s)}}, blockers: "a", until: 60 * s,
		},
	} {
		t.Run(name, func(t *testing.T) {
			v, seen := Decide(own, c.peers, c.seen, now)
			if got := identities(v.Blockers); got != c.blockers || v.Equal != c.equal || v.Paused() != (got != "") {
				t.Errorf("blocked by %q, equal %v", got, v.Equal)
			}
			if c.until == 0 != v.Until.IsZero() || c.until != 0 && !v.Until.Equal(now.Add(c.until)) {
				t.Errorf("until %v", v.Until)
			}
			if got := strings.Join(v.Dead, " "); got != c.dead {
				t.Errorf("dead: %q", got)
			}
			if len(v.Skewed)+len(c.skewed) > 0 {
				if d := cmp.Diff(c.skewed, v.Skewed); d != "" {
					t.Error(d)
				}
			}
			if v.Own != c.own {
				t.Errorf("own record seen: %v", v.Own)
			}
			// The same once more is the same.
			again, _ := Decide(own, c.peers, seen, now)
			if d := cmp.Diff(v, again); d != "" {
				t.Errorf("judged otherwise the second time:\n%s", d)
			}
		})
	}
}

// A peer whose record vanished is remembered for a while, not for ever.
func TestForgetting(t *testing.T) {
	seen := map[string]Sighting{"a": {Noticed: now.Add(-59 * time.Minute)}, "b": {Noticed: now.Add(-time.Hour)}}
	_, seen = Decide(Own{}, nil, seen, now)
	if len(seen) != 1 || seen["a"].Noticed.IsZero() {
		t.Errorf("remembered: %v", seen)
	}
}

func identities(peers []Peer) string {
	var names []string
	for _, p := range peers {
		names = append(names, p.Identity)
	}
	return strings.Join(names, " ")
}

func TestKeepalive(t *testing.T) {
	for _, c := range []struct {
		lifetime time.Duration
		random   float64
		want     time.Duration
	}{
		{60 * time.Second, 0, 55 * time.Second}, {60 * time.Second, 0.999, 50 * time.Second}, {60 * time.Second, 0.5, 52 * time.Second},
		{8 * time.Second, 0, 3 * time.Second}, {8 * time.Second, 0.999, time.Second}, {time.Second, 0, time.Second}, {0, 0, time.Second},
	} {
		if got := Keepalive(c.lifetime, c.random); got != c.want {
			t.Errorf("Keepalive(%v, %v) = %v, want %v", c.lifetime, c.random, got, c.want)
		}
	}
}

func TestCombine(t *testing.T) {
	gone, here, blocked := standing{there: absent}, standing{there: present}, standing{there: present, blocked: "x"}
	for name, c := range map[string]struct {
		all       []standing
		automatic string // why it is paused; "" if it is not
		mandatory string
	}{
		"nothing known":    {[]standing{{}, {}}, whyUnknown, whyUnknown},
		"one unknown":      {[]standing{here, {}}, whyUnknown, whyUnknown},
		"blocked already":  {[]standing{blocked, {}}, "x", "x"},
		"none there":       {[]standing{gone, gone}, "", whyMissing},
		"one there":        {[]standing{gone, here}, "", ""},
		"one there blocks": {[]standing{gone, blocked}, "x", "x"},
		"one of two":       {[]standing{here, blocked}, "x", "x"},
	} {
		for mandatory, want := range map[bool]string{false: c.automatic, true: c.mandatory} {
			if paused, why := combine(c.all, mandatory); why != want || paused != (want != "") {
				t.Errorf("%s, mandatory %v: %v, %q", name, mandatory, paused, why)
			}
		}
	}
}
