package operator

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/daemon"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

// beside completes a daemon or a timer.
func (h Handler) beside(one handling.Handler, settings Settings) (out daemon.Handler, err error) {
	defer guard(&err)
	if h.On == OnTimer {
		return h.timer(one)
	}
	return h.daemon(one, settings)
}

func (h Handler) daemon(one handling.Handler, settings Settings) (daemon.Handler, error) {
	d := h.Daemon
	if d.Func != nil {
		d = d.Func().fill(d)
	}
	if h.Timer.Func != nil || h.Timer.any() {
		return daemon.Handler{}, errors.New("it is a daemon, and has a timer's schedule")
	}
	return daemon.Handler{
			Handler: one, InitialDelay: d.InitialDelay.delay,
			Ending: daemon.Ending{
				Backoff: d.CancellationBackoff, Timeout: d.CancellationTimeout,
				Polling: cmp.Or(d.CancellationPolling, settings.CancellationPolling),
			},
		}, positive(map[string]time.Duration{
			"initialDelay": d.InitialDelay.delay.Fixed, "cancellationBackoff": d.CancellationBackoff,
			"cancellationTimeout": d.CancellationTimeout, "cancellationPolling": d.CancellationPolling,
		})
}

func (h Handler) timer(one handling.Handler) (daemon.Handler, error) {
	t := h.Timer
	if t.Func != nil {
		t = t.Func().fill(t)
	}
	if h.Daemon.Func != nil || h.Daemon.any() {
		return daemon.Handler{}, errors.New("it is a timer, and says how a daemon is ended")
	}
	if t.Sharp && t.Interval == 0 {
		return daemon.Handler{}, errors.New("it is sharp without an interval")
	}
	return daemon.Handler{
			Handler: one, InitialDelay: t.InitialDelay.delay,
			Timer: &daemon.Timer{Interval: t.Interval, Sharp: t.Sharp, Idle: t.Idle},
		}, positive(map[string]time.Duration{
			"initialDelay": t.InitialDelay.delay.Fixed, "interval": t.Interval, "idle": t.Idle,
		})
}

// positive returns an error for each duration that is negative.
func positive(durations map[string]time.Duration) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(durations)) {
		if durations[name] < 0 {
			errs = append(errs, fmt.Errorf("%s is negative: %v", name, durations[name]))
		}
	}
	return errors.Join(errs...)
}

// fill takes from the defaults what is left open.
func (d Daemon) fill(defaults Daemon) Daemon {
	return Daemon{
		InitialDelay:        d.InitialDelay.or(defaults.InitialDelay),
		CancellationBackoff: cmp.Or(d.CancellationBackoff, defaults.CancellationBackoff),
		CancellationTimeout: cmp.Or(d.CancellationTimeout, defaults.CancellationTimeout),
		CancellationPolling: cmp.Or(d.CancellationPolling, defaults.CancellationPolling),
	}
}

func (d Daemon) any() bool {
	return d.InitialDelay.isSet() || d.CancellationBackoff != 0 || d.CancellationTimeout != 0 || d.CancellationPolling != 0
}

// fill takes from the defaults what is left open.
func (t Timer) fill(defaults Timer) Timer {
	return Timer{
		Interval: cmp.Or(t.Interval, defaults.Interval), Sharp: t.Sharp || defaults.Sharp,
		Idle: cmp.Or(t.Idle, defaults.Idle), InitialDelay: t.InitialDelay.or(defaults.InitialDelay),
	}
}

func (t Timer) any() bool { return t.InitialDelay.isSet() || t.Interval != 0 || t.Sharp || t.Idle != 0 }

func (d Delay) isSet() bool { return d.delay.Fixed != 0 || d.delay.Of != nil }

func (d Delay) or(otherwise Delay) Delay {
	if d.isSet() {
		return d
	}
	return otherwise
}
