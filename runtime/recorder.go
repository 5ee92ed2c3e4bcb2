package kopf

// Recorder posts Kubernetes events about the object that a handler is called for. Equal events are counted rather than repeated, and an
// object that causes many is cut short. Posting never delays or fails a handler.
type Recorder interface {
	// Normal posts an event that is as it should be; the reason is a word in CamelCase, such as Resized.
	Normal(reason, format string, args ...any)
	// Warning posts an event that somebody should look at.
	Warning(reason, format string, args ...any)
}
