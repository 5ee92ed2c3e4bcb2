package kopf

import (
	"context"
	"errors"

	"github.com/kopfgen/kopfgen/runtime/internal/scope"
)

// Sub is a sub-handler: a part of a handler that is retried, and remembered as done, on its own. Parts may come from data, one for each
// user or database of the spec, or be the fixed steps of a piece of work. Which of them there are is decided by ordinary code.
type Sub struct {
	// ID names the part among its siblings. Its progress is stored under the parent's id, a slash and this.
	ID string
	// Value is what the part is about, for example the list item that it serves; when it changes while the parent is unfinished, a
	// finished part runs again. Nil stands for the parent's field.
	Value any
	// Skip leaves the part out, for example because what it is about is as it was before the change. A part that has been tried goes on
	// to its outcome all the same, as a handler does whose filters no longer hold. Those that come after it do not wait for it.
	Skip bool
	// After names siblings, listed before this one, that must have succeeded first. If one of them has failed for good, this part is
	// blocked: it is not run, and counts as ended.
	After []string
	// Always runs the part however its siblings have ended, once those in After have, or all those listed before it if After is empty.
	// [Siblings] tells it which of them have failed.
	Always bool
	// Required makes the failure of the part a failure of its parent: once all parts have ended, [Execute] returns a permanent error that
	// says which of the required ones have failed or were blocked. Otherwise failures are the parts' own, as in Kopf.
	Required bool
	// Policy limits the attempts of this part alone. A timeout counts from its first attempt.
	Policy Policy
	// Run does the work; its result goes to the status under the full id.
	Run func(ctx context.Context) (any, error)
}

// Execute runs the sub-handlers that have not ended yet, in the order of the list, and returns an error while any of them is unfinished;
// return that error from the handler, which is then called again when the next part is due, without using up a retry. A part that has
// ended is not run again, across restarts too, so the handler must name the same parts each time. Parts have parts of their own if they
// call Execute with the context that they are given.
//
// The context must be the handler's. Called outside of a handler of changes, Execute returns an error that says so.
func Execute(ctx context.Context, subs ...Sub) error {
	a := scope.From(ctx)
	if a == nil {
		return errors.New("sub-handlers run only inside of create, update, delete, resume and field handlers, with the handler's context")
	}
	plain := make([]scope.Sub, len(subs))
	for i, s := range subs {
		plain[i] = scope.Sub{
			ID: s.ID, Value: s.Value, Skip: s.Skip, After: s.After, Always: s.Always, Required: s.Required,
			Retries: s.Policy.Retries, Timeout: s.Policy.Timeout,
			BackoffFrom: s.Policy.Backoff.From, BackoffTo: s.Policy.Backoff.To,
			Errors: string(s.Policy.Errors),
			Run:    s.Run,
		}
	}
	return a.Execute(ctx, plain)
}
