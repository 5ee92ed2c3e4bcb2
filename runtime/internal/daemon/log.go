package daemon

import (
	"fmt"
	"log/slog"

	"github.com/kopfgen/kopfgen/runtime/internal/handling"
)

// kind names what the handler is, for people.
func (h *Handler) kind() string {
	if h.Timer != nil {
		return "timer"
	}
	return "daemon"
}

// log says what came of an attempt. The success of a timer is no news.
func (h *Handler) log(log *slog.Logger, v handling.Verdict, count int, err error) {
	name := fmt.Sprintf("%s %q", h.kind(), h.ID)
	failed := func(what string, attrs ...slog.Attr) {
		handling.LogError(log, name+" "+what, err, append(attrs, slog.Int("attempt", count))...)
	}
	switch {
	case v.Ignored:
		failed("failed; the error is ignored")
	case v.Done && v.Err != nil:
		err = v.Err
		failed("failed permanently")
	case v.Done && h.Timer != nil:
		log.Debug(name + " succeeded")
	case v.Done:
		log.Info(name + " has ended")
	case v.Waiting:
		log.Debug(name+" waits", "for", v.Delay)
	default:
		failed("failed; trying again", slog.Duration("in", v.Delay))
	}
}
