package kopf

// Live follows an object while a daemon or a timer runs beside it; the T is the object's type, or that of its spec or status. It is an
// interface so that a test can put any state in its place.
type Live[T any] interface {
	// Get returns the newest state as a copy of its own. The error says that it does not decode into T.
	Get() (T, error)
	// Changed returns a channel that is closed when a state newer than the one of the last Get, or of the start, has arrived. Ask for it
	// again after each Get.
	Changed() <-chan struct{}
}
