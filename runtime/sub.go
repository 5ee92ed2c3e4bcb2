package kopf

import (
	"context"
	"errors"

	"github.com/kopfgen/kopfgen/runtime/internal/scope"
)

// Sub is a sub-handler: a part of a handler that is retried, and remembered as done, on its own.
type Sub struct {
	// ID names the part among its siblings. Its progress is stored under the parent's id, a slash and this.
	ID string
	// Value is what the part is about, for example the list item that it serves; when it changes while the parent is unfinished, a
	// finished part runs again. Nil stands for the parent's field.
	Value any
	// Policy limits the attempts of this part alone.
	Policy Policy
	// Run does the work; its result goes to the status under the full id.
	Run func(ctx context.Context) (any, error)
}

// Execute runs sub-handlers that have not finished yet, in order, and returns an error while any of them is unfinished; return that error
// from the handler, which is then called again when the next part is due. A part that has finished is not run again, across restarts too,
// so the handler must name the same parts each time. A part that has failed for good does not fail the parent, as in Kopf.
//
// The context must be the handler's. Called outside of a handler of changes, Execute returns an error that says so.
func Execute(ctx context.Context, subs ...Sub) error {
	e := scope.From(ctx)
	if e == nil {
		return errors.New("sub-handlers run only inside of create, update, delete, resume and field handlers, with the handler's context")
	}
	plain := make([]scope.Sub, len(subs))
	for i, s := range subs {
		plain[i] = scope.Sub{
			ID: s.ID, Value: s.Value,
			Retries: s.Policy.Retries, Timeout: s.Policy.Timeout,
			BackoffFrom: s.Policy.Backoff.From, BackoffTo: s.Policy.Backoff.To,
			Errors: string(s.Policy.Errors),
			Run:    s.Run,
		}
	}
	return e.Execute(ctx, plain)
}
