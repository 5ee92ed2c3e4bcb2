package daemon

import (
	"errors"
	"log/slog"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/patch"
)

// ErrGone tells that the object is no more.
var ErrGone = errors.New("the object is gone")

// Object is the object that something runs beside. Package reactor offers it. Its methods may ask the API server; they are called by the
// goroutines of daemons and timers, and never while a lock of this package is held.
type Object interface {
	// Begin describes an attempt of the handler on the newest state, and tells the number of that state.
	Begin(h *Handler) (a *handling.Attempt, state uint64, err error)
	// Newest returns the newest state without managedFields, and its number.
	Newest() (raw []byte, state uint64, err error)
	// Plan works out what an attempt wants written. The error says why it cannot be.
	Plan(h *Handler, a *handling.Attempt, out handling.Outcome) (*patch.Plan, error)
	// Write sends a plan once. What is left of it is to be tried again, after a while if there is an error; nil is nothing, because all is
	// written, or refused, or the object is gone.
	Write(h *Handler, plan *patch.Plan) (left *patch.Plan, err error)
	// Wake asks for another [Set.Match]: something has ended, and the object may no longer have to wait for it, or may have another begun.
	Wake()
	// Rest tells that nothing runs beside the object any more, and that nobody needs to look at it for that.
	Rest()
	// Logger returns a logger whose records name the object. Alone of all methods it may be called with any lock held.
	Logger() *slog.Logger
}
