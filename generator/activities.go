package generator

import (
	"go/types"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/binding"
	"github.com/kopfgen/kopfgen/generator/model"
)

// activities binds the handlers of the operator itself. All results are collected before any parameter is bound, since the order in the source
// is not the order of the calls.
func (a *assembly) activities() {
	a.binder.LogsIn = slices.ContainsFunc(a.entries, func(e *entry) bool { return e.on().Has(model.OnLogin) })
	bound := map[*entry]*model.Activity{}
	for _, e := range a.entries {
		if e.ofObject() {
			continue
		}
		activity := &model.Activity{ID: a.id(e), On: e.on(), Pos: a.program.Position(e.marker.Pos)}
		activity.Func.Name = e.fn.Object.Name()
		if e.on().Has(model.OnStartup) {
			activity.Provides = a.binder.Provides(e.fn, activity, a.isPartOfObject)
		}
		bound[e] = activity
		a.op.Activities = append(a.op.Activities, activity)
	}
	for _, e := range a.entries {
		activity := bound[e]
		if activity == nil {
			continue
		}
		activity.Policy = a.policy(e)
		activity.Background = a.background(e)
		site := binding.Site{Role: roles[e.on()], On: e.on(), Param: e.marker.Param, Faulty: e.marker.Faulty, Marker: e.marker.Pos}
		if f, ok := a.binder.Bind(e.fn, site); ok {
			activity.Func = *f
		} else if f != nil {
			// Even if something else is wrong, what it takes is known, and that is enough to find cycles.
			activity.Func.Receiver, activity.Func.Params = f.Receiver, f.Params
		}
	}
	a.order()
}

// roles are what the functions of activities are called for.
var roles = map[model.Kind]binding.Role{
	model.OnStartup: binding.Startup, model.OnCleanup: binding.Cleanup,
	model.OnLogin: binding.Login, model.OnProbe: binding.Probe, model.OnBackground: binding.Background,
}

// background evaluates when a background handler runs.
func (a *assembly) background(e *entry) model.Background {
	m := e.marker
	return model.Background{
		InitialDelay: a.binder.Period(m.InitialDelay, e.scope), Interval: a.binder.Period(m.Interval, e.scope),
		WhilePaused: m.WhilePaused.Value,
	}
}

// isPartOfObject returns why a type cannot be a startup result, or "": kinds that are handled, their specs and statuses cannot.
func (a *assembly) isPartOfObject(t types.Type) string {
	for _, e := range a.entries {
		if k := e.kind; k != nil && (k.Is(t) || k.SpecOf(t) || k.StatusOf(t)) {
			return "parameters of this type are parts of an object"
		}
	}
	return ""
}

// order sorts the startup handlers so that each runs after those whose results it takes, and otherwise as in the source. Those of
// the other kinds follow.
func (a *assembly) order() {
	var sorted []*model.Activity
	state := map[*model.Activity]int{} // 1: being visited, 2: done
	var chain []*model.Activity
	var visit func(*model.Activity)
	visit = func(activity *model.Activity) {
		switch state[activity] {
		case 2:
			return
		case 1:
			a.cycle(chain[slices.Index(chain, activity):])
			return
		}
		state[activity] = 1
		chain = append(chain, activity)
		for _, provider := range needs(&activity.Func) {
			visit(provider.From)
		}
		for _, eval := range activity.Policy.Evals() {
			if eval.Func != nil {
				for _, provider := range needs(eval.Func) {
					visit(provider.From)
				}
			}
		}
		chain = chain[:len(chain)-1]
		state[activity] = 2
		sorted = append(sorted, activity)
	}
	for _, kind := range []model.Kind{model.OnStartup, model.OnLogin, model.OnProbe, model.OnBackground, model.OnCleanup} {
		for _, activity := range a.op.Activities {
			if activity.On.Has(kind) {
				visit(activity)
			}
		}
	}
	a.op.Activities = sorted
}

// needs lists the startup results that a function takes.
func needs(f *model.Func) []*model.Provider {
	var all []*model.Provider
	if f.Receiver != nil {
		all = append(all, f.Receiver)
	}
	for _, p := range f.Params {
		if p.Provider != nil {
			all = append(all, p.Provider)
		}
	}
	return all
}

// cycle reports startup handlers that wait for each other, once, at the one that stands first in the source.
func (a *assembly) cycle(chain []*model.Activity) {
	first := slices.Index(chain, slices.MinFunc(chain, func(x, y *model.Activity) int {
		return slices.Index(a.op.Activities, x) - slices.Index(a.op.Activities, y)
	}))
	chain = slices.Concat(chain[first:], chain[:first])
	var names []string
	for _, activity := range append(chain, chain[0]) {
		names = append(names, activity.Func.Name)
	}
	a.errorf(chain[0].Pos, binding.CodeCycle, "make one of them do without the other", "startup handlers wait for each other: %s", strings.Join(names, " needs "))
}
