package kopftest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/runtime/kopftest"
)

// failing is a test that may fail without failing the one that it is part of.
type failing struct {
	testing.TB
	cleanups []func()
	message  string // of the failure
	logged   string
}

func (f *failing) Helper()                    {}
func (f *failing) Failed() bool               { return f.message != "" }
func (f *failing) Cleanup(do func())          { f.cleanups = append(f.cleanups, do) }
func (f *failing) Logf(s string, args ...any) { f.logged += fmt.Sprintf(s, args...) }

func (f *failing) Errorf(s string, args ...any) { f.message += fmt.Sprintf(s, args...) }

func (f *failing) Fatalf(s string, args ...any) {
	f.Errorf(s, args...)
	runtime.Goexit()
}

func (f *failing) Fatal(args ...any) { f.Fatalf("%s", fmt.Sprint(args...)) }

// failure runs a test to its end, as package testing does, and returns how it failed.
func failure(test func(t testing.TB)) *failing {
	f := &failing{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for i := len(f.cleanups) - 1; i >= 0; i-- {
				f.cleanups[i]()
			}
		}()
		test(f)
	}()
	<-done
	return f
}

// A failure says when, of what, what is wrong and what is there; the timeline says how that came.
func TestFailuresCanBeRead(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		failed := failure(func(t testing.TB) {
			stage := options.New(t, things(stubborn(2)))
			stage.Fail(kopftest.Patch, 2, kopftest.Fault{Status: 500})
			a := stage.Create(thing("a", 1))
			stage.Advance(10 * time.Minute)
			a.Expect(`spec: {size: 2}`)
		})
		for _, part := range []string{"10m0s: Thing default/a: spec.size is 1, not 2", "spec:\n  size: 1\n"} {
			if !strings.Contains(failed.message, part) {
				t.Errorf("the failure does not say %q:\n%s", part, failed.message)
			}
		}
		rest := failed.logged
		for _, part := range []string{
			"          0s  test     the operator starts\n",
			"          0s  request  watch things\n",
			"          0s  test     create Thing default/a\n",
			"          0s  event    ADDED Thing default/a @101\n",
			`          0s  log      level=ERROR msg="handler \"made\" failed; trying again" object.name=a in=10m0s attempt=1 error="not yet"`,
			`          0s  request  patch things default/a {"metadata":{"annotations":{"kopf.zalando.org/made":`, ` => 200`,
			"          0s  event    MODIFIED Thing default/a @102: ",
			"       10m0s  request  patch things default/a", " => refused with 500",
			"       10m0s  test     the operator is told to stop\n",
		} {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Fatalf("the timeline does not say %q where it should:\n%s", part, failed.logged)
			}
			rest = after
		}
	})
}

func TestWithinGivesUp(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		began := time.Now()
		failed := failure(func(t testing.TB) {
			options.New(t, things(stubborn(9))).Create(thing("a", 1)).Within(time.Hour, kopftest.Gone)
		})
		if !strings.Contains(failed.message, "1h0m0s: Thing default/a: after 1h0m0s, it is there") || time.Since(began) != time.Hour {
			t.Errorf("after %v: %s", time.Since(began), failed.message)
		}
	})
}

// Mistakes of the test are told in its own terms.
func TestMistakes(t *testing.T) {
	if failed := failure(func(t testing.TB) { kopftest.New(t, things()) }); !strings.Contains(failed.message, "call it inside synctest.Test") {
		t.Errorf("outside of a bubble: %q", failed.message)
	}
	inBubble(t, func(t *testing.T) {
		for want, mistake := range map[string]func(t testing.TB, s *kopftest.Stage){
			"the operator runs already":                 func(_ testing.TB, s *kopftest.Stage) { s.Start() },
			"the server has no kind \"Nothing\"":        func(_ testing.TB, s *kopftest.Stage) { s.Object("Nothing", "a") },
			"the server has no kind Thing in kopf.dev/": func(_ testing.TB, s *kopftest.Stage) { s.Create(`{apiVersion: kopf.dev/v1, kind: Thing}`) },
			"creating an object: it has no name":        func(_ testing.TB, s *kopftest.Stage) { s.Create(&Thing{}) },
			"already exists":                            func(_ testing.TB, s *kopftest.Stage) { s.Create(thing("a", 1)); s.Create(thing("a", 1)) },
			"Thing default/b: it is not there":          func(_ testing.TB, s *kopftest.Stage) { s.Object("Thing", "b").Expect(`{}`) },
			"they are counted from 1":                   func(_ testing.TB, s *kopftest.Stage) { s.Fail(kopftest.Patch, 0, kopftest.Fault{}) },
			"reading the patch":                         func(_ testing.TB, s *kopftest.Stage) { s.Object("Thing", "b").Patch(`{`) },
		} {
			if failed := failure(func(t testing.TB) { mistake(t, options.New(t, things())) }); !strings.Contains(failed.message, want) {
				t.Errorf("got %q, want %q", failed.message, want)
			}
		}
	})
}
