package kopf

// Reason says why a handler of changes is called. A handler with several markers, or one that is mixed into another cause, can tell the
// cases apart by it.
type Reason string

// The reasons, spelled as Kopf stores them in its progress records.
const (
	// ReasonCreate: the object was never handled before.
	ReasonCreate Reason = "create"
	// ReasonUpdate: the object differs from what was handled last.
	ReasonUpdate Reason = "update"
	// ReasonDelete: the object is being deleted and waits for this operator.
	ReasonDelete Reason = "delete"
	// ReasonResume: the object was found, unchanged, when the operator started.
	ReasonResume Reason = "resume"
)
