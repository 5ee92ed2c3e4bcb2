package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// timed is one time of a daemon, a timer or background work.
type timed struct {
	name   string
	period model.Period
}

// daemon prints how a daemon begins and is ended, or returns nil if there is nothing to say.
func (p *printer) daemon(h *model.Handler) jen.Code {
	if !h.On.Has(model.OnDaemon) {
		return nil
	}
	s := h.Schedule
	return p.scheduled("Daemon", h, nil, timed{"CancellationBackoff", s.CancellationBackoff}, timed{"CancellationTimeout", s.CancellationTimeout},
		timed{"CancellationPolling", s.CancellationPolling})
}

// timer prints when a timer runs, or returns nil if it runs once and at once.
func (p *printer) timer(h *model.Handler) jen.Code {
	if !h.On.Has(model.OnTimer) {
		return nil
	}
	s := h.Schedule
	return p.scheduled("Timer", h, yes(s.Sharp), timed{"Interval", s.Interval}, timed{"Idle", s.Idle})
}

// scheduled prints a value of the runtime's type of that name.
func (p *printer) scheduled(name string, h *model.Handler, sharp jen.Code, times ...timed) jen.Code {
	var l literal
	l.row(entry{"InitialDelay", p.delay(h.Schedule.InitialDelay)})
	for _, t := range times {
		l.row(entry{t.name, p.period(t.period)})
	}
	l.row(entry{"Sharp", sharp})
	l.row(entry{"Func", p.scheduleFunc(name, h, times)})
	if len(l.rows) == 0 {
		return nil
	}
	return l.line(p.operator(name))
}

// delay prints a time to wait before the first call, unless it is known only after startup.
func (p *printer) delay(d model.Delay) jen.Code {
	switch {
	case d.Func != nil:
		return p.binding("AfterFunc", d.Func, p.filter("delay", d.Func, p.names.qualified("time", "time", "Duration")))
	case d.Value > 0:
		return p.operator("After").Call(p.duration(d.Value))
	}
	return nil
}

// scheduleFunc prints a method for what is known only after startup, and refers to it.
func (p *printer) scheduleFunc(name string, h *model.Handler, times []timed) jen.Code {
	b := p.newBody(nil)
	var l literal
	if e := h.Schedule.InitialDelay.Eval; e != nil {
		l.row(entry{"InitialDelay", p.operator("After").Call(b.eval(e))})
	}
	for _, t := range times {
		if t.period.Eval != nil {
			l.row(entry{t.name, b.eval(t.period.Eval)})
		}
	}
	if len(l.rows) == 0 {
		return nil
	}
	b.add(jen.Return(l.line(p.operator(name))))
	method := p.bound.name(p.methodName(lowerFirst(name), &h.Func))
	p.method(method, nil, p.operator(name), b)
	return jen.Id(p.variable).Dot(method)
}
