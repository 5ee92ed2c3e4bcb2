package logging

import (
	"context"
	"log/slog"
)

// AtLeast returns a logger that drops records below the level even where l would write them. It is for libraries that are more
// talkative than the operator's own parts.
func AtLeast(l *slog.Logger, level slog.Level) *slog.Logger {
	return slog.New(leastHandler{l.Handler(), level})
}

type leastHandler struct {
	slog.Handler
	level slog.Level
}

func (h leastHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.level && h.Handler.Enabled(ctx, l)
}

func (h leastHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return leastHandler{h.Handler.WithAttrs(attrs), h.level}
}

func (h leastHandler) WithGroup(name string) slog.Handler {
	return leastHandler{h.Handler.WithGroup(name), h.level}
}
