package gobuild

import (
	"fmt"
	"io"
	"os"
	"time"
)

// Progress reports how far a long step has come: on a terminal in one line that changes, elsewhere with a line now and then. Elsewhere, a
// step that is over soon is not mentioned.
type Progress struct {
	w        io.Writer
	terminal bool
	interval time.Duration
	started  time.Time
	last     time.Time
	kind     string
}

// NewProgress begins a step that is reported to w, or to nobody if w is nil.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{w: w, started: time.Now(), interval: 10 * time.Second}
	p.last = p.started
	if file, ok := w.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.terminal, p.interval = true, 100*time.Millisecond
		}
	}
	return p
}

// Show shows a message in place of the last one. A message that follows the last one too quickly is dropped, unless it is shown on a
// terminal and has another format.
func (p *Progress) Show(format string, args ...any) {
	now := time.Now()
	if p.w == nil || now.Sub(p.last) < p.interval && (!p.terminal || format == p.kind) {
		return
	}
	p.last, p.kind = now, format
	text := fmt.Sprintf(format, args...)
	if elapsed := now.Sub(p.started).Round(time.Second); elapsed > 0 {
		text += fmt.Sprintf(" (%v)", elapsed)
	}
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	} else {
		fmt.Fprintln(p.w, text)
	}
}

// End ends the step and clears the line on a terminal.
func (p *Progress) End() {
	if p.terminal && p.kind != "" {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
