package conditions

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// at is a time, some seconds after the beginning of time in a synctest bubble.
func at(seconds int) metav1.Time {
	return metav1.NewTime(time.Date(2000, 1, 1, 0, 0, seconds, 0, time.UTC))
}

func condition(t Type, status metav1.ConditionStatus, reason, message string, generation int64, since metav1.Time) metav1.Condition {
	return metav1.Condition{Type: string(t), Status: status, Reason: reason, Message: message, ObservedGeneration: generation, LastTransitionTime: since}
}

func TestSet(t *testing.T) {
	// Everything is set at second 7 and a half.
	up := condition(Ready, metav1.ConditionTrue, "Up", "all up", 2, at(1))
	moving := condition(Progressing, metav1.ConditionFalse, "Idle", "", 2, at(2))

	for name, test := range map[string]struct {
		before     []metav1.Condition
		generation int64
		set        []metav1.Condition
		want       []metav1.Condition
		unchanged  bool
	}{
		"the first condition": {
			generation: 1, set: []metav1.Condition{Ready.True("Up", "")},
			want: []metav1.Condition{condition(Ready, metav1.ConditionTrue, "Up", "", 1, at(7))},
		},
		"the same again": {
			before: []metav1.Condition{up, moving}, generation: 2, set: []metav1.Condition{Ready.True("Up", "all up")},
			want: []metav1.Condition{up, moving}, unchanged: true,
		},
		"nothing": {
			before: []metav1.Condition{up}, generation: 3, want: []metav1.Condition{up}, unchanged: true,
		},
		"another status is a transition": {
			before: []metav1.Condition{up, moving}, generation: 2, set: []metav1.Condition{Ready.False("Down", "gone")},
			want: []metav1.Condition{condition(Ready, metav1.ConditionFalse, "Down", "gone", 2, at(7)), moving},
		},
		"so is one to unknown": {
			before: []metav1.Condition{up}, generation: 2, set: []metav1.Condition{Ready.Unknown("Lost", "")},
			want: []metav1.Condition{condition(Ready, metav1.ConditionUnknown, "Lost", "", 2, at(7))},
		},
		"another reason is not": {
			before: []metav1.Condition{up}, generation: 2, set: []metav1.Condition{Ready.True("Serving", "all up")},
			want: []metav1.Condition{condition(Ready, metav1.ConditionTrue, "Serving", "all up", 2, at(1))},
		},
		"another message is not": {
			before: []metav1.Condition{up}, generation: 2, set: []metav1.Condition{Ready.True("Up", "")},
			want: []metav1.Condition{condition(Ready, metav1.ConditionTrue, "Up", "", 2, at(1))},
		},
		"another generation is not": {
			before: []metav1.Condition{up}, generation: 3, set: []metav1.Condition{Ready.True("Up", "all up")},
			want: []metav1.Condition{condition(Ready, metav1.ConditionTrue, "Up", "all up", 3, at(1))},
		},
		"the generation is left out": {
			before: []metav1.Condition{up}, set: []metav1.Condition{Ready.True("Up", "all up")},
			want: []metav1.Condition{condition(Ready, metav1.ConditionTrue, "Up", "all up", 0, at(1))},
		},
		"what is new goes to the end, in order": {
			before: []metav1.Condition{moving}, generation: 2, set: []metav1.Condition{Ready.True("Up", ""), Degraded.False("Fine", ""), Progressing.False("Idle", "")},
			want: []metav1.Condition{
				moving, condition(Ready, metav1.ConditionTrue, "Up", "", 2, at(7)), condition(Degraded, metav1.ConditionFalse, "Fine", "", 2, at(7)),
			},
		},
		"a time that is brought along": {
			before: []metav1.Condition{up}, generation: 2, set: []metav1.Condition{condition(Ready, metav1.ConditionFalse, "Down", "", 0, at(5))},
			want: []metav1.Condition{condition(Ready, metav1.ConditionFalse, "Down", "", 2, at(5))},
		},
		"a time that is brought along without a transition": {
			before: []metav1.Condition{up}, generation: 2, set: []metav1.Condition{condition(Ready, metav1.ConditionTrue, "Up", "all up", 0, at(5))},
			want: []metav1.Condition{up}, unchanged: true,
		},
		"an entry without a time gets one": {
			before: []metav1.Condition{condition(Ready, metav1.ConditionTrue, "Up", "", 2, metav1.Time{})}, generation: 2, set: []metav1.Condition{Ready.True("Up", "")},
			want: []metav1.Condition{condition(Ready, metav1.ConditionTrue, "Up", "", 2, at(7))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(7500 * time.Millisecond)
				list, given := test.before, slices.Clone(test.before)
				changed, err := Set(&list, test.generation, test.set...)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, list); diff != "" {
					t.Errorf("conditions (-want +got):\n%s", diff)
				}
				if changed == test.unchanged {
					t.Errorf("changed: %v", changed)
				}
				if diff := cmp.Diff(given, test.before); diff != "" {
					t.Errorf("the list before was written to (-before +after):\n%s", diff)
				}
				// Whatever was set: once more is no change.
				if again, err := Set(&list, test.generation, test.set...); again || err != nil {
					t.Errorf("setting it again: changed %v, error %v", again, err)
				}
			})
		})
	}
}

func TestRefusedConditions(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, test := range map[string]struct {
		condition  metav1.Condition
		generation int64
		want       string // what the error says, nothing if there is none
	}{
		"a type with a domain":    {condition: Type("demo.kopf.dev/Synced").True("Yes", "")},
		"a reason with signs":     {condition: Ready.True("First_1,Second:2", "")},
		"the longest type":        {condition: Type(long(63)).True("Yes", "")},
		"the longest reason":      {condition: Ready.True(long(1024), "")},
		"the longest message":     {condition: Ready.True("Yes", long(32768))},
		"no type":                 {condition: Type("").True("Yes", ""), want: `set condition "": condition.type: Required`},
		"a type of two words":     {condition: Type("Almost Ready").True("Yes", ""), want: `set condition "Almost Ready": condition.type: Invalid`},
		"a type that is too long": {condition: Type(long(64)).True("Yes", ""), want: "condition.type: Invalid"},
		"a domain in upper case":  {condition: Type("Demo/Synced").True("Yes", ""), want: "condition.type: Invalid"},
		"no status":               {condition: metav1.Condition{Type: "Ready", Reason: "Yes"}, want: "condition.status: Required"},
		"another status":          {condition: metav1.Condition{Type: "Ready", Status: "true", Reason: "Yes"}, want: "condition.status: Unsupported"},
		"no reason":               {condition: Ready.False("", "why?"), want: "condition.reason: Required"},
		"a reason of two words":   {condition: Ready.False("Not yet", ""), want: "condition.reason: Invalid"},
		"a reason with a digit":   {condition: Ready.False("1st", ""), want: "condition.reason: Invalid"},
		"a reason too long":       {condition: Ready.False(long(1025), ""), want: "condition.reason: Too long"},
		"a message too long":      {condition: Ready.False("No", long(32769)), want: "condition.message: Too long"},
		"a generation below zero": {condition: Ready.True("Yes", ""), generation: -1, want: "condition.observedGeneration: Invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			before := []metav1.Condition{condition(Progressing, metav1.ConditionFalse, "Idle", "", 1, at(1))}
			list := slices.Clone(before)
			// A good one comes first: all are set, or none.
			changed, err := Set(&list, test.generation, Ready.True("Yes", ""), test.condition)
			if test.want == "" {
				if err != nil || !changed {
					t.Errorf("changed %v, error %v", changed, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
			if diff := cmp.Diff(before, list); changed || diff != "" {
				t.Errorf("changed %v, conditions (-want +got):\n%s", changed, diff)
			}
		})
	}
	if _, err := Set(nil, 1, Ready.True("Yes", "")); err == nil {
		t.Error("no list is no error")
	}
}

func TestReading(t *testing.T) {
	list := []metav1.Condition{
		condition(Ready, metav1.ConditionTrue, "Up", "", 2, at(1)),
		condition(Degraded, metav1.ConditionFalse, "Fine", "", 1, at(1)),
		condition(Progressing, metav1.ConditionUnknown, "Lost", "", 2, at(1)),
	}
	for _, test := range []struct {
		of                          Type
		status                      metav1.ConditionStatus
		there, isTrue, not, current bool
	}{
		{of: Ready, status: metav1.ConditionTrue, there: true, isTrue: true, current: true},
		{of: Degraded, status: metav1.ConditionFalse, there: true, not: true},
		{of: Progressing, status: metav1.ConditionUnknown, there: true, current: true},
		{of: Available, status: metav1.ConditionUnknown},
	} {
		if _, there := Get(list, test.of); there != test.there {
			t.Errorf("%s: there %v", test.of, there)
		}
		if got := Status(list, test.of); got != test.status {
			t.Errorf("%s: status %s", test.of, got)
		}
		if got := IsTrue(list, test.of); got != test.isTrue {
			t.Errorf("%s: true %v", test.of, got)
		}
		if got := IsFalse(list, test.of); got != test.not {
			t.Errorf("%s: false %v", test.of, got)
		}
		if got := IsCurrent(list, test.of, 2); got != test.current {
			t.Errorf("%s: current %v", test.of, got)
		}
	}
	got, _ := Get(list, Ready)
	got.Reason = "Scribbled"
	if list[0].Reason != "Up" {
		t.Error("Get returned the entry itself")
	}
}

func TestRemove(t *testing.T) {
	ready, degraded := condition(Ready, metav1.ConditionTrue, "Up", "", 2, at(1)), condition(Degraded, metav1.ConditionFalse, "Fine", "", 1, at(1))
	list := []metav1.Condition{ready, degraded}
	if Remove(&list, Progressing) {
		t.Error("removed what was not there")
	}
	if !Remove(&list, Ready) || Remove(&list, Ready) {
		t.Error("Ready is not removed once")
	}
	if diff := cmp.Diff([]metav1.Condition{degraded}, list); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	if Remove(nil, Ready) {
		t.Error("removed from no list")
	}
}

func TestSummary(t *testing.T) {
	const database, cache, proxy Type = "DatabaseReady", "CacheReady", "ProxyReady"
	all := []Type{database, cache, proxy}
	for name, test := range map[string]struct {
		list []metav1.Condition
		of   []Type
		want metav1.Condition
	}{
		"all are true": {
			list: []metav1.Condition{database.True("Up", "up"), cache.True("Up", "up"), proxy.True("Up", "")}, of: all,
			want: Ready.True("AllTrue", ""),
		},
		"of nothing": {want: Ready.True("AllTrue", "")},
		"one is false": {
			list: []metav1.Condition{database.True("Up", "up"), cache.False("Evicted", "no memory"), proxy.True("Up", "")}, of: all,
			want: Ready.False("Evicted", "CacheReady: no memory"),
		},
		"one is missing": {
			list: []metav1.Condition{database.True("Up", "up"), proxy.True("Up", "")}, of: all,
			want: Ready.Unknown("NotReported", "CacheReady: not reported yet"),
		},
		"false outdoes unknown": {
			list: []metav1.Condition{database.Unknown("Silent", ""), cache.False("Evicted", "no memory"), proxy.False("Down", "")}, of: all,
			want: Ready.False("Evicted", "DatabaseReady: Silent; CacheReady: no memory; ProxyReady: Down"),
		},
		"the first of equals gives the reason": {
			list: []metav1.Condition{proxy.Unknown("Lost", ""), cache.Unknown("Silent", ""), database.True("Up", "")}, of: all,
			want: Ready.Unknown("Silent", "CacheReady: Silent; ProxyReady: Lost"),
		},
		"others do not count": {
			list: []metav1.Condition{database.True("Up", "up"), cache.False("Evicted", "")}, of: []Type{database},
			want: Ready.True("AllTrue", ""),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := Summary(test.list, Ready, test.of...)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
			if _, err := Set(new([]metav1.Condition), 1, got); err != nil {
				t.Errorf("the summary cannot be set: %v", err)
			}
		})
	}
}
