package exampletest

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// Line is one record of an operator's log.
type Line struct {
	At   time.Time
	Text string
}

// Log is what an operator has logged, in the text format of log/slog. It takes one record with each call of Write.
type Log struct {
	t testing.TB

	mu      sync.Mutex
	lines   []Line
	changed chan struct{} // closed and replaced with each line
}

func newLog(t testing.TB) *Log { return &Log{t: t, changed: make(chan struct{})} }

// Write implements [io.Writer].
func (l *Log) Write(record []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, Line{At: time.Now(), Text: strings.TrimSuffix(string(record), "\n")})
	close(l.changed)
	l.changed = make(chan struct{})
	return len(record), nil
}

// Lines returns the lines so far that have all the parts in them, in the order of time.
func (l *Log) Lines(parts ...string) []Line {
	found, _ := l.find(parts)
	return found
}

// UntilLines waits until there are so many lines that have all the parts in them, and returns them.
func (l *Log) UntilLines(count int, parts ...string) []Line {
	l.t.Helper()
	over := time.NewTimer(patience)
	defer over.Stop()
	for {
		found, changed := l.find(parts)
		if len(found) >= count {
			return found
		}
		select {
		case <-changed:
		case <-over.C:
			l.t.Fatalf("the log has %d lines with %q, waiting for %d", len(found), parts, count)
		}
	}
}

// find also returns what is closed when there are more.
func (l *Log) find(parts []string) ([]Line, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []Line
	for _, line := range l.lines {
		if has(line.Text, parts) {
			found = append(found, line)
		}
	}
	return found, l.changed
}

func has(line string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(line, part) {
			return false
		}
	}
	return true
}

// show prints the log if the test has failed.
func (l *Log) show() {
	if !l.t.Failed() {
		return
	}
	var b strings.Builder
	for _, line := range l.Lines() {
		b.WriteString(line.At.Format("05.000 ") + line.Text + "\n")
	}
	l.t.Logf("the operator's log:\n%s", b.String())
}
