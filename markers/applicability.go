package markers

import "slices"

// elsewhere says what to do instead of giving an argument to a kind that does not take it, where there is more to say than who takes it.
var elsewhere = map[Kind]map[string]string{
	Event: {
		"timeout": "an event is handled again for as long as no newer one comes: limit it with retries=",
		"errors":  "an event whose handler fails is dropped, or handled again with retries= or backoff=",
		"old":     noChange, "new": noChange,
	},
	Daemon: {
		"interval": onlyTimers, "idle": onlyTimers, "sharp": onlyTimers,
		"old": noChange, "new": noChange,
	},
	Timer: {
		"cancellationBackoff": onlyDaemons, "cancellationTimeout": onlyDaemons, "cancellationPolling": onlyDaemons,
		"old": noChange, "new": noChange,
	},
	Index: {
		"result":   "what the function returns is what the index holds",
		"interval": "the function is called when the object changes",
		"old":      noChange, "new": noChange,
	},
}

const (
	noChange    = "only a change has an old and a new state: test the field as it is with value=, or react to changes with on=field"
	onlyTimers  = "a daemon runs on by itself; for calls that repeat use on=timer"
	onlyDaemons = "a timer ends after the call that it is in; for work that has to be interrupted use on=daemon"
)

// inapplicable is the way out for an argument that means nothing for a kind; takers are the kinds that take it.
func inapplicable(arg string, kind Kind, takers []kindInfo) string {
	if hint := elsewhere[kind][arg]; hint != "" {
		return hint
	}
	if ofObjects := !slices.ContainsFunc(takers, func(k kindInfo) bool { return !k.kind.OfObject() }); len(takers) > 4 && ofObjects && !kind.OfObject() {
		return "it is for handlers of objects"
	}
	return "it applies to " + alternatives(namesOf(takers))
}
