package kopf

// EventType says what a watch event tells of its object; handlers of events take it.
type EventType string

// The types of events, spelled as Kubernetes spells them.
const (
	// EventListed: the object was there when the operator began to watch. Kopf calls it None.
	EventListed EventType = ""
	// EventAdded: the object is new, or has come into what is watched.
	EventAdded EventType = "ADDED"
	// EventModified: the object has changed.
	EventModified EventType = "MODIFIED"
	// EventDeleted: the object is gone; the event shows it as it was last.
	EventDeleted EventType = "DELETED"
)
