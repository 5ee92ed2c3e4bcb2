package handling

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/diff"
)

// processes are Kopf's names for the handling that a reason begins.
var processes = map[kopf.Reason]string{
	kopf.ReasonCreate: "creation", kopf.ReasonUpdate: "updating", kopf.ReasonDelete: "deletion", kopf.ReasonResume: "resuming",
}

// announce logs which handling begins, and, for those who debug, what has changed.
func (r *round) announce(ctx context.Context) {
	process := processes[r.cause.Reason]
	for _, old := range r.outlook.Superseded {
		r.Logger.Info(fmt.Sprintf("%s is superseded by %s", processes[old], process))
	}
	if r.Logger.Enabled(ctx, slog.LevelDebug) {
		var changes []string
		if r.Base != nil {
			for _, c := range diff.Of(r.Base, r.Essence) {
				changes = append(changes, c.String())
			}
		}
		r.Logger.Debug(process+" is in progress", "due", len(r.outlook.Due), "diff", strings.Join(changes, "; "))
	}
}

// summarize logs the outcome when all handlers have finished.
func (r *round) summarize() {
	if n, m := r.outlook.Succeeded, r.outlook.Failed; n+m > 0 {
		r.Logger.Info(fmt.Sprintf("%s is processed: %d succeeded; %d failed", processes[r.cause.Reason], n, m))
	}
}

func (r *round) finished(t trial, v Verdict) {
	switch {
	case v.Ignored:
	case v.Err == nil:
		r.Logger.Info(fmt.Sprintf("handler %q succeeded", t.id))
	default:
		r.failed(t, v.Err, "failed permanently")
	}
}

// postponed logs that a handler will be called again.
func (r *round) postponed(t trial, v Verdict, err error) {
	if v.Waiting {
		r.Logger.Debug(fmt.Sprintf("handler %q waits", t.id), "for", v.Delay)
		return
	}
	r.failed(t, err, "failed; trying again", slog.Duration("in", v.Delay))
}

// suspended logs that a handler waits for its sub-handlers. An error of its own would be lost otherwise.
func (r *round) suspended(t trial, err error) {
	if err != nil && !isOpen(err) {
		r.failed(t, err, "failed while its sub-handlers are unfinished")
		return
	}
	r.Logger.Debug(fmt.Sprintf("handler %q waits for its sub-handlers", t.id))
}

func (r *round) interruption(t trial, err error) {
	r.Logger.Warn(fmt.Sprintf("handler %q was interrupted; it will be called again", t.id), "error", err)
}

// failed logs an error of an attempt.
func (r *round) failed(t trial, err error, what string, attrs ...slog.Attr) {
	LogError(r.Logger, fmt.Sprintf("handler %q %s", t.id, what), err, append(attrs, slog.Int("attempt", t.record.Retries))...)
}

// LogError logs the error of a function of the author, with the stack if it was a panic.
func LogError(log *slog.Logger, message string, err error, attrs ...slog.Attr) {
	attrs = append(attrs, slog.Any("error", err))
	if p, ok := errors.AsType[*PanicError](err); ok {
		attrs = append(attrs, slog.String("stack", string(p.Stack)))
	}
	log.LogAttrs(context.Background(), slog.LevelError, message, attrs...)
}
