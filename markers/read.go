package markers

import (
	"slices"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// handler reads the arguments of a +kopf:on marker; the first is on itself.
func (r *reader) handler(args []argument) *Handler {
	h := &Handler{}
	on := r.kinds(h, args[0])
	given := map[string]argument{}
	for _, a := range r.known(args, handlers, operators) {
		given[a.name.text] = a
		if !r.applies(a, on) || len(a.items) == 0 {
			continue
		}
		r.handlerArgument(h, a)
	}
	r.together(h, given)
	return h
}

func (r *reader) handlerArgument(h *Handler, a argument) {
	switch a.name.text {
	case "kind":
		put(r, &h.Kind, a, r.checked(kindName))
	case "group":
		put(r, &h.Group, a, r.group)
	case "version":
		put(r, &h.Version, a, r.checked(version))
	case "name":
		put(r, &h.Name, a, r.glob)
	case "namespace":
		put(r, &h.Namespace, a, r.glob)
	case "labels":
		put(r, &h.Labels, a, r.selector)
	case "annotations":
		put(r, &h.Annotations, a, r.selector)
	case "field":
		put(r, &h.Field, a, r.path)
	case "value":
		put(r, &h.Value, a, r.criterion)
	case "old":
		put(r, &h.Old, a, r.criterion)
	case "new":
		put(r, &h.New, a, r.criterion)
	case "when":
		put(r, &h.When, a, r.function)
	case "enabled":
		put(r, &h.Enabled, a, r.function)
	case "retries":
		put(r, &h.Retries, a, r.number)
	case "timeout":
		put(r, &h.Timeout, a, r.duration)
	case "backoff":
		put(r, &h.Backoff, a, r.backoff)
	case "errors":
		put(r, &h.Errors, a, r.oneOf("temporary", "permanent", "ignored"))
	case "id":
		put(r, &h.ID, a, r.checked(idName))
	case "param":
		put(r, &h.Param, a, r.literal)
	case "result":
		put(r, &h.Result, a, r.result)
	case "optional":
		put(r, &h.Optional, a, r.bool)
	case "deleted":
		put(r, &h.Deleted, a, r.bool)
	case "initialDelay":
		put(r, &h.InitialDelay, a, r.period)
	case "interval":
		put(r, &h.Interval, a, r.period)
	case "idle":
		put(r, &h.Idle, a, r.period)
	case "sharp":
		put(r, &h.Sharp, a, r.bool)
	case "cancellationBackoff":
		put(r, &h.CancellationBackoff, a, r.period)
	case "cancellationTimeout":
		put(r, &h.CancellationTimeout, a, r.period)
	case "cancellationPolling":
		put(r, &h.CancellationPolling, a, r.period)
	case "whilePaused":
		put(r, &h.WhilePaused, a, r.bool)
	}
}

// operator reads the arguments of a +kopf:operator marker; the first is operator itself.
func (r *reader) operator(args []argument) *Operator {
	o := &Operator{}
	if len(args[0].items) > 0 {
		put(r, &o.Name, args[0], r.checked(operatorName))
	}
	for _, a := range r.known(args, operators, handlers) {
		if later[a.name.text] {
			r.notYet(a)
			continue
		}
		if len(a.items) == 0 {
			continue
		}
		r.operatorArgument(o, a)
	}
	return o
}

func (r *reader) operatorArgument(o *Operator, a argument) {
	switch a.name.text {
	case "packages":
		o.Packages = r.patterns(a)
	case "ids":
		put(r, &o.IDs, a, r.oneOf("go", "snake_case"))
	case "retries":
		put(r, &o.Retries, a, r.number)
	case "timeout":
		put(r, &o.Timeout, a, r.duration)
	case "backoff":
		put(r, &o.Backoff, a, r.backoff)
	case "prefix":
		put(r, &o.Prefix, a, r.checked(subdomain))
	case "finalizer":
		put(r, &o.Finalizer, a, r.checked(finalizerName))
	}
}

// known returns the arguments after the first one that the marker takes, each once, and reports the others.
func (r *reader) known(args []argument, takes, other definition) []argument {
	seen := []string{args[0].name.text}
	var known []argument
	for _, a := range args[1:] {
		name := a.name.text
		switch {
		case slices.Contains(seen, name):
			r.errorf(a.name.at, codeDuplicate, "remove one", "%q is given twice", name)
		case takes.has(name):
			seen = append(seen, name)
			known = append(known, a)
		default:
			hint := diagnostic.DidYouMean(name, takes.names())
			if hint == "" && other.has(name) {
				hint = "it is an argument of +kopf:" + other.names()[0]
			}
			r.errorf(a.name.at, codeUnknownArg, hint, "unknown argument %q", name)
		}
	}
	return known
}

// kinds reads the list of on= into h and returns all its kinds, those that are not supported yet included, or none if the list has
// mistakes, since it is not known then which arguments apply.
func (r *reader) kinds(h *Handler, on argument) []kindInfo {
	var all []kindInfo
	understood := true
	for _, v := range on.items {
		c, ok := r.content(v)
		if !ok {
			understood = false
			continue
		}
		k, ok := findKind(c.text)
		switch {
		case !ok:
			r.errorf(v.at, codeUnknownKind, diagnostic.DidYouMean(c.text, kindNames()), "unknown kind %q", c.text)
			understood = false
			continue
		case slices.ContainsFunc(all, func(other kindInfo) bool { return other.kind == k.kind }):
			r.errorf(v.at, codeDuplicate, "remove one", "kind %s is given twice", k.kind)
			continue
		case len(all) > 0 && !(all[0].kind.Changing() && k.kind.Changing()):
			r.errorf(v.at, codeMixedKinds, "write a second marker: +kopf:on="+c.text, "%s and %s cannot share a marker", all[0].kind, k.kind)
			understood = false
			continue
		}
		all = append(all, k)
		if k.later {
			r.errorf(v.at, codeNotYet, "", "handlers of kind %s are not supported yet", k.kind)
			continue
		}
		h.On = append(h.On, Item[Kind]{r.pos(v.at), k.kind})
	}
	if !understood {
		return nil
	}
	return all
}

// applies reports whether an argument means something for the kinds and is supported. Where no kinds are known it is taken to apply.
func (r *reader) applies(a argument, on []kindInfo) bool {
	name := a.name.text
	takers := kindsWith(name)
	supported := len(on) == 0
	var without, with []Kind
	for _, k := range on {
		if slices.Contains(k.args, name) {
			with = append(with, k.kind)
			supported = supported || !k.later
		} else {
			without = append(without, k.kind)
		}
	}
	// An argument of a single kind is about that kind, even in a list.
	if len(without) > 0 && !(len(with) > 0 && len(takers) == 1) {
		hint := inapplicable(name, without[0], takers)
		if len(with) > 0 {
			hint = "give " + string(without[0]) + " a marker of its own"
		}
		r.errorf(a.name.at, codeInapplicable, hint, "%q does not apply to %s", name, without[0])
		return false
	}
	if later[name] && supported {
		r.notYet(a)
		return false
	}
	return true
}

func (r *reader) notYet(a argument) {
	r.errorf(a.name.at, codeNotYet, "", "%q is not supported yet", a.name.text)
}

// together checks what arguments demand of each other.
func (r *reader) together(h *Handler, given map[string]argument) {
	_, field := given["field"]
	for _, on := range h.On {
		if on.Value == Field && !field {
			r.errorf(int(on.Pos-r.base), codeMissingArg, "add field=<path>, as in field=spec.size", "kind field needs the argument \"field\"")
		}
	}
	_, value := given["value"]
	for _, name := range []string{"value", "old", "new"} {
		a, ok := given[name]
		switch {
		case ok && !field:
			r.errorf(a.name.at, codeMissingArg, "add field=<path>", "%q needs the argument \"field\"", name)
		case ok && value && name != "value":
			r.errorf(a.name.at, codeExclusive, "keep one of them", "%q and \"value\" exclude each other", name)
		}
	}
	_, interval := given["interval"]
	if a, ok := given["sharp"]; ok && !interval && h.Has(Timer) {
		r.errorf(a.name.at, codeMissingArg, "add interval=<duration>, or leave sharp= out", "\"sharp\" needs the argument \"interval\"")
	}
	_, limited := given["cancellationTimeout"]
	if a, ok := given["cancellationPolling"]; ok && limited && h.Has(Daemon) {
		r.errorf(a.name.at, codeExclusive, "keep one of them: a daemon that has a timeout is abandoned after it, and not looked at again",
			"\"cancellationPolling\" and \"cancellationTimeout\" exclude each other")
	}
}

func namesOf(kinds []kindInfo) []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k.kind)
	}
	return names
}
