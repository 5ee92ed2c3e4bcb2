package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// output is shared by all handlers derived from one logger, so that their lines do not mix.
type output struct {
	mu sync.Mutex
	w  io.Writer
}

// textHandler writes one line a record, in the layout of Kopf's full or plain format; attributes follow the message.
type textHandler struct {
	out    *output
	full   bool
	level  slog.Level
	object string // the prefix that names the object
	attrs  string // already rendered
	group  string
}

func (h *textHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

func (h *textHandler) Handle(_ context.Context, r slog.Record) error {
	line := *h
	var tail strings.Builder
	r.Attrs(func(a slog.Attr) bool {
		line.add(&tail, h.group, a)
		return true
	})
	var b strings.Builder
	if h.full {
		name := "kopf"
		if line.object != "" {
			name = "kopf.objects"
		}
		fmt.Fprintf(&b, "[%s] %-20.20s [%-8.8s] ", r.Time.Format("2006-01-02 15:04:05,000"), name, levelName(r.Level))
	}
	if line.object != "" {
		fmt.Fprintf(&b, "[%s] ", line.object)
	}
	b.WriteString(r.Message)
	b.WriteString(h.attrs)
	b.WriteString(tail.String())
	b.WriteByte('\n')
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	_, err := io.WriteString(h.out.w, b.String())
	return err
}

func (h *textHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *h
	var b strings.Builder
	for _, a := range attrs {
		next.add(&b, h.group, a)
	}
	next.attrs = h.attrs + b.String()
	return &next
}

func (h *textHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	next := *h
	next.group = h.group + name + "."
	return &next
}

// add renders one attribute; the one that names the object becomes the prefix.
func (h *textHandler) add(b *strings.Builder, group string, a slog.Attr) {
	if ref, ok := a.Value.Any().(Reference); ok && a.Key == ObjectKey && group == "" {
		h.object = ref.String()
		return
	}
	v := a.Value.Resolve()
	if v.Kind() == slog.KindGroup {
		if a.Key != "" {
			group += a.Key + "."
		}
		for _, member := range v.Group() {
			h.add(b, group, member)
		}
		return
	}
	if a.Equal(slog.Attr{}) {
		return
	}
	text := v.String()
	if text == "" || slices.ContainsFunc([]rune(text), func(r rune) bool { return r <= ' ' || r == '"' || r == '=' }) {
		text = strconv.Quote(text)
	}
	fmt.Fprintf(b, " %s%s=%s", group, a.Key, text)
}

// levelName returns Kopf's name of a level in text.
func levelName(l slog.Level) string {
	switch {
	case l < slog.LevelInfo:
		return "DEBUG"
	case l < slog.LevelWarn:
		return "INFO"
	case l < slog.LevelError:
		return "WARNING"
	}
	return "ERROR"
}
