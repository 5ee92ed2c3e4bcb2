package apitest

import (
	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// events are the Kubernetes events, kept as those of the core group. They are the same objects in the group events.k8s.io.
var events = api.Resource{Version: "v1", Plural: "events", Kind: "Event", Namespaced: true}

// renamed are the members of events by their names in the core group and in events.k8s.io.
var renamed = [...][2]string{
	{"involvedObject", "regarding"}, {"message", "note"}, {"reportingComponent", "reportingController"}, {"source", "deprecatedSource"},
	{"firstTimestamp", "deprecatedFirstTimestamp"}, {"lastTimestamp", "deprecatedLastTimestamp"}, {"count", "deprecatedCount"},
}

func convertEvent(object map[string]any, stored bool) map[string]any {
	out := tree.Copy(object).(map[string]any)
	for _, names := range renamed {
		from, to := names[0], names[1]
		if stored {
			from, to = to, from
		}
		if value, ok := out[from]; ok {
			delete(out, from)
			out[to] = value
		}
	}
	return out
}

// limits are the longest texts that a new event may have.
const (
	maxEventText = 128
	maxEventNote = 1024
)

// checkEvent is the validation of an event of the core group. Those with a time are validated as new ones.
func checkEvent(object map[string]any) (field, message string) {
	if timed, _ := object["eventTime"].(string); timed != "" {
		return checkNewEvent(convertEvent(object, false))
	}
	return checkEventNamespace(object, "involvedObject")
}

// checkEventNamespace requires that an event is where its object is, or, if that is in no namespace, in "default".
func checkEventNamespace(object map[string]any, about string) (field, message string) {
	is, of := tree.String(object, "metadata", "namespace"), tree.String(object, about, "namespace")
	if of == is || of == "" && (is == "default" || is == "kube-system") {
		return "", ""
	}
	return "involvedObject.namespace", "Invalid value: does not match event.namespace"
}

// checkNewEvent is the validation of an event of events.k8s.io.
func checkNewEvent(object map[string]any) (field, message string) {
	if timed, _ := object["eventTime"].(string); timed == "" {
		return "eventTime", "Required value"
	}
	for _, name := range []string{"reportingController", "reportingInstance", "action", "reason"} {
		text := tree.String(object, name)
		switch {
		case text == "":
			return name, "Required value"
		case len(text) > maxEventText && name != "reportingController":
			return name, "Invalid value: can have at most 128 characters"
		}
	}
	if typ := tree.String(object, "type"); typ != "Normal" && typ != "Warning" {
		return "type", "Invalid value: has invalid value: " + typ
	}
	if len(tree.String(object, "note")) > maxEventNote {
		return "note", "Invalid value: can have at most 1024 characters"
	}
	if tree.String(object, "regarding", "namespace") != "" {
		return "", "" // it need not be the same, by the facts
	}
	return checkEventNamespace(object, "regarding")
}
