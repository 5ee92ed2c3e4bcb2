package kopftest

import (
	"fmt"
	"runtime"
	"testing"
)

// recorder is the T of a history: a failure of it is one of the history, and the test goes on to find out more.
type recorder struct {
	testing.TB
	history  *history
	cleanups []func()
}

// run runs a test to its end, with its cleanups, as package testing does.
func (r *recorder) run(test func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for len(r.cleanups) > 0 {
				last := len(r.cleanups) - 1
				cleanup := r.cleanups[last]
				r.cleanups = r.cleanups[:last]
				cleanup()
			}
		}()
		defer func() {
			if p := recover(); p != nil {
				r.history.fail("panic: %v", p)
			}
		}()
		test()
	}()
	<-done
}

func (r *recorder) Helper()                      {}
func (r *recorder) Cleanup(f func())             { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Failed() bool                 { return r.history.failed() }
func (r *recorder) Log(...any)                   {}
func (r *recorder) Logf(string, ...any)          {}
func (r *recorder) Fail()                        { r.history.fail("the scenario failed") }
func (r *recorder) FailNow()                     { r.Fail(); runtime.Goexit() }
func (r *recorder) Error(args ...any)            { r.history.fail("%s", fmt.Sprint(args...)) }
func (r *recorder) Errorf(text string, a ...any) { r.history.fail(text, a...) }
func (r *recorder) Fatal(args ...any)            { r.Error(args...); runtime.Goexit() }
func (r *recorder) Fatalf(text string, a ...any) { r.history.fail(text, a...); runtime.Goexit() }
