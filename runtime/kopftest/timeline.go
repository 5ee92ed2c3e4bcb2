package kopftest

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// A timeline shows so many lines, those before a failure, each cut at so many bytes.
const (
	shownLines = 200
	shownBytes = 400
)

// timeline is what has happened, in order.
type timeline struct {
	began time.Time

	mu      sync.Mutex
	entries []*entry
}

// entry is one line. What comes of it may be added later.
type entry struct {
	at         time.Duration
	kind, text string
	outcome    string
}

func newTimeline() *timeline { return &timeline{began: time.Now()} }

func (l *timeline) elapsed() time.Duration { return time.Since(l.began) }

func (l *timeline) add(kind, format string, args ...any) *entry {
	e := &entry{at: l.elapsed(), kind: kind, text: fmt.Sprintf(format, args...)}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, e)
	return e
}

// conclude adds to an entry what came of it.
func (l *timeline) conclude(e *entry, outcome string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.outcome = outcome
}

// lines returns the texts of a kind that have all the parts in them.
func (l *timeline) lines(kind string, parts []string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for _, e := range l.entries {
		if e.kind == kind && has(e.text, parts) {
			found = append(found, e.text)
		}
	}
	return found
}

func has(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// String implements fmt.Stringer.
func (l *timeline) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.folded()
	var b strings.Builder
	if more := len(lines) - shownLines; more > 0 {
		fmt.Fprintf(&b, "(%d lines before)\n", more)
		lines = lines[more:]
	}
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// folded makes one line of entries that say the same one after the other, such as watches that end and begin again.
func (l *timeline) folded() []string {
	var lines []string
	for i := 0; i < len(l.entries); {
		e, last := l.entries[i], i
		for last+1 < len(l.entries) && l.entries[last+1].same(e) {
			last++
		}
		line := fmt.Sprintf("%12v  %-7s  %s", e.at.Round(time.Millisecond), e.kind, cut(e.text))
		if e.outcome != "" {
			line += " => " + cut(e.outcome)
		}
		if last > i {
			line += fmt.Sprintf(" (and %d more until %v)", last-i, l.entries[last].at.Round(time.Millisecond))
		}
		lines, i = append(lines, line), last+1
	}
	return lines
}

func (e *entry) same(as *entry) bool {
	return e.kind == as.kind && e.text == as.text && e.outcome == as.outcome
}

func cut(text string) string {
	if len(text) <= shownBytes {
		return text
	}
	return strings.ToValidUTF8(text[:shownBytes], "") + "…"
}

// logger writes into the timeline.
func (l *timeline) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(logWriter{l}, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: short}))
}

type logWriter struct{ l *timeline }

// Write takes one record.
func (w logWriter) Write(record []byte) (int, error) {
	w.l.add("log", "%s", strings.TrimSuffix(string(record), "\n"))
	return len(record), nil
}

// short keeps from the reference to an object only its name, and leaves the time to the timeline.
func short(groups []string, a slog.Attr) slog.Attr {
	inObject := len(groups) == 1 && groups[0] == "object"
	if inObject && a.Key != "name" || len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
