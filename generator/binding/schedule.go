package binding

import (
	"go/types"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/markers"
)

// Schedule evaluates the arguments that say when a daemon or timer runs, and how a daemon is ended.
func (b *Binder) Schedule(m *markers.Handler, on model.Kind, kind *schema.Kind, from Scope) model.Schedule {
	return model.Schedule{
		InitialDelay:        b.delay(m.InitialDelay, on, kind, from),
		Interval:            b.Period(m.Interval, from),
		Idle:                b.Period(m.Idle, from),
		Sharp:               m.Sharp.Value,
		CancellationBackoff: b.Period(m.CancellationBackoff, from),
		CancellationTimeout: b.Period(m.CancellationTimeout, from),
		CancellationPolling: b.Period(m.CancellationPolling, from),
	}
}

// delay is Period, except that a function is asked for each object, and bound like a filter.
func (b *Binder) delay(arg markers.Arg[markers.Duration], on model.Kind, kind *schema.Kind, from Scope) model.Delay {
	id := arg.Value.Ident
	if id.IsZero() {
		return model.Delay{Period: model.Period{Value: arg.Value.Value}}
	}
	obj := b.lookup(id, from, Duration.Literal)
	fn, ok := obj.(*types.Func)
	if !ok {
		return model.Delay{Period: b.periodOf(obj, id, from)}
	}
	f, ok := b.Bind(b.function(fn, from), Site{Role: Filter, On: on, Kind: kind, Result: Duration, Marker: id.Pos})
	if !ok {
		return model.Delay{}
	}
	return model.Delay{Func: f}
}
