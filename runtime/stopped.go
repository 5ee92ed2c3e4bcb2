package kopf

// Stopped tells a daemon that it is to end, and why. Most daemons only need their context, which ends at the same time; a daemon that
// wants to finish something after the context has been told looks at this.
type Stopped interface {
	// Done returns a channel that is closed when the daemon is to end.
	Done() <-chan struct{}
	// Reasons returns why, in the order in which the reasons came; they accumulate. Before Done is closed there are none.
	Reasons() []StopReason
}

// StopReason is one reason for a daemon to end, or one step in ending it.
type StopReason string

// The reasons, named as in Kopf.
const (
	// StopDone: the daemon returned by itself.
	StopDone StopReason = "DONE"
	// StopFiltersMismatch: the object is no longer one that the daemon is for.
	StopFiltersMismatch StopReason = "FILTERS_MISMATCH"
	// StopResourceDeleted: the object is being deleted, or is gone.
	StopResourceDeleted StopReason = "RESOURCE_DELETED"
	// StopOperatorPausing: another operator of higher priority has taken over.
	StopOperatorPausing StopReason = "OPERATOR_PAUSING"
	// StopOperatorExiting: the process ends.
	StopOperatorExiting StopReason = "OPERATOR_EXITING"
	// StopDaemonSignalled: the daemon has been told, and has time to end.
	StopDaemonSignalled StopReason = "DAEMON_SIGNALLED"
	// StopDaemonCancelled: the daemon's context has been cancelled.
	StopDaemonCancelled StopReason = "DAEMON_CANCELLED"
	// StopDaemonAbandoned: the daemon did not end in time, and nobody waits for it any more.
	StopDaemonAbandoned StopReason = "DAEMON_ABANDONED"
)
